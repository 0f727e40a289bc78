import type { Static, TObject, TSchema } from 'typebox';
import type { Note } from '../../shared/api/note.ts';
import type { SearchHit } from '../../shared/api/search.ts';
import type { OwnToolName } from '../../shared/own-tools.ts';
import { findOwnTool, type CatalogTool } from './catalog.ts';

export type { Note };

/** An earlier message found by a search, with the part of its text around the words found. */
export type EarlierMessage = Pick<SearchHit, 'chatId' | 'chatTitle' | 'role' | 'createdAt'> & {
  snippet: string;
};

/** What tools may do with the workspace they run for, and with no other. Calls reject when the store refuses them. */
export interface WorkspacePort {
  /** Earlier messages that hold the words of `query`, best first; the turn's own message is left out. */
  searchMessages(query: string, limit: number): Promise<EarlierMessage[]>;
  /** Newest first. */
  listNotes(): Note[];
  addNote(text: string): Promise<Note>;
  /** Removes a note; false when there is none of that id. */
  deleteNote(id: string): Promise<boolean>;
}

/** A tool as a model sees it. Plain data. */
export interface ToolOutline {
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** JSON Schema of its input, an object. */
  input: TSchema;
}

/** A tool: what is known about it, and what it does. */
export interface Tool<Input = Readonly<Record<string, unknown>>, Output = unknown>
  extends CatalogTool, ToolOutline {
  /** Identifies its current description; absent: the description only changes with Parley itself. */
  described?: string;
  /** How long a call may take without progress, in milliseconds; {@link CALL_TIMEOUT_MS} unless given. */
  timeoutMs?: number;
  /** How long it may take in all, in milliseconds; {@link LONGEST_CALL_MS} unless given. */
  longestMs?: number;
  /** The description that one agent's model gets; null: that agent doesn't get the tool. Absent: all get the same. */
  descriptionFor?(agentType: string): string | null;
  /** What a call would do; null or absent: nothing to add to the tool and its input. */
  describe?(input: Input): Promise<Description | null>;
  /**
   * Does it. Throws {@link ToolError} for what the model or the person can fix (its message is shown as it is);
   * anything else thrown is an internal error. The caller cuts the output ({@link OutputWithFiles} with files, which
   * only tools of the service may return) to a limit; the tool limits files.
   */
  run(input: Input, context: ToolContext): Promise<Output> | Output;
}

/** The context of a call in the agents' thread. */
export interface ThreadContext {
  /** The moment the turn counts as "now". */
  now: Date;
  /** The person's IANA time zone, e.g. `Europe/Paris`. */
  timeZone: string;
  /** Fires when the turn is stopped or times out, or the call takes too long. */
  signal: AbortSignal;
}

/** A tool of the agents' thread: it sees nothing but its input. */
export type ThreadTool = Omit<Tool, 'run'> & {
  run(input: Readonly<Record<string, unknown>>, context: ThreadContext): unknown;
};

/** The context of a call in the service. */
export interface ToolContext extends ThreadContext {
  workspace: WorkspacePort;
  /**
   * The {@link Description.basis} of the person's approval, also from an earlier process; absent: nobody was asked, or
   * there was none. If it has changed since, the approval doesn't apply.
   */
  basis?: string;
  /**
   * The place where the person always allows it, for a call that was made without asking: it must be made there or not
   * at all.
   */
  place?: string;
  /** Call this whenever the call makes progress: its time limit then starts again, see {@link LONGEST_CALL_MS}. */
  onProgress?: () => void;
}

/** How long a call in the service may take without progress, unless the tool says otherwise. */
export const CALL_TIMEOUT_MS = 60_000;
/** How long it may take in all, even with progress, unless the tool says otherwise. */
export const LONGEST_CALL_MS = 30 * 60_000;

/** Where a call does its work: an “always” is limited to this place and the tool. */
export interface CallPlace {
  /** `folder:<id>`, `server:<id>` or `site:<host>`. */
  id: string;
  /** Its display name. */
  name: string;
}

/** What a call would do. */
export interface Description {
  /** In a plain sentence or two, for the person who is asked. */
  summary: string;
  /** Its changes to an existing text, as hunks of a unified diff; absent: none, or they can't be shown in full. */
  diff?: string;
  /**
   * What that is based on, such as the state of a file; absent: nothing that could change. If this differs when the
   * same approval is asked for after a restart, it is a new one.
   */
  basis?: string;
  /** Absent: the tool has no such place. `unknown`: it can't be determined, so no answer can be remembered. */
  place?: CallPlace | 'unknown';
  /** The tool server that a person has to sign in at first; absent: none. Such a call is never made without asking. */
  signIn?: { serverId: string; name: string };
}

/** A picture, sound or other file that a tool returns besides its output. */
export interface ToolFile {
  /** One line, not empty. */
  name: string;
  mediaType: string;
  data: Buffer;
}

/** The output of a call that comes with files. */
export class OutputWithFiles {
  readonly output: unknown;
  readonly files: readonly ToolFile[];

  constructor(output: unknown, files: readonly ToolFile[]) {
    this.output = output;
    this.files = files;
  }
}

/** Where tools of the service come from. */
export interface ToolSource {
  /** Whether the built-in assistant can use its tools; otherwise the source isn't asked in that assistant's turns. */
  isForOffline: boolean;
  /**
   * The tools available now for a turn of these agents; which agent gets which is decided later. Limits its own time,
   * and leaves out what can't be reached. Rejects only for internal errors.
   */
  list(agentTypes: readonly string[]): Promise<Tool[]>;
}

/** A tool of Parley's own, whose input is checked against its schema before it runs. */
export type OwnTool<Input extends TSchema, Output> = Tool<Static<Input>, Output> & { input: Input };

/** The output of a tool. */
export type OutputOf<Own extends { run: Tool<never>['run'] }> = Awaited<ReturnType<Own['run']>>;

/** Defines one of Parley's own tools: its entry in the catalogue, and the given parts. */
export function defineTool<Input extends TObject, Output>(
  tool: {
    name: OwnToolName;
    description: string;
    input: Input;
    run(input: Static<Input>, context: ToolContext): Promise<Output> | Output;
  } & Pick<Tool<Static<Input>>, 'describe' | 'timeoutMs'>,
): OwnTool<Input, Output> {
  const entry = findOwnTool(tool.name);
  if (entry === null) throw new TypeError(`There is no tool ${tool.name}.`);
  return { ...entry, ...tool };
}

/** A tool's own refusal, in words for the person: "I can't divide by zero." */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** A call that was not made, since its server wants a person to sign in first. */
export class SignInNeededError extends ToolError {
  override name = 'SignInNeededError';
}

/** A failed call that may have taken effect; the message says so. */
export class DoubtError extends ToolError {
  override name = 'DoubtError';
}

/** The words for a tool that threw anything but a ToolError. */
export const faultWords = (tool: string): string => `The tool “${tool}” failed because of a bug in it.`;

/** The words for a {@link DoubtError}. */
export const DOUBT_WORDS = 'Whether it took effect is not known.';
