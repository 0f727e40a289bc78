import type { Static, TObject, TSchema } from 'typebox';
import { TOOLS, type OwnToolName, type ToolInfo } from './catalog.ts';

/** An earlier message found by a search. */
export interface FoundMessage {
  chatId: string;
  chatTitle: string;
  role: 'user' | 'assistant';
  /** The part of the text around the words found. */
  snippet: string;
  createdAt: string;
}

/** Something the person asked to have remembered. */
export interface Note {
  id: string;
  text: string;
  createdAt: string;
}

/**
 * What tools may ask of the workspace they run for. Implemented over the store; every call is limited to that
 * workspace. Calls reject when the store refuses them.
 */
export interface WorkspacePort {
  /** Earlier messages that hold the words of `query`, best first; the turn's own message is left out. */
  searchMessages(query: string, limit: number): Promise<FoundMessage[]>;
  addNote(text: string): Promise<Note>;
  /** Notes that hold any of the words of `query`, best first; all, newest first, when `query` is null. */
  findNotes(query: string | null, limit: number): Promise<Note[]>;
  /** Removes a note; false when there is none of that id. */
  deleteNote(id: string): Promise<boolean>;
}

/** A tool as a model is told of it. Plain data. */
export interface ToolOutline {
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  /** JSON Schema of its input, an object. */
  input: TSchema;
}

/** A tool: what is known of it, and what it does, whoever decides to call it. */
export interface Tool<Input = Readonly<Record<string, unknown>>, Output = unknown>
  extends ToolInfo, ToolOutline {
  /** Tells how it is described from how it was before; absent: that never changes but with Parley itself. */
  described?: string;
  /** How long a call may take without a sign that it gets on, in milliseconds; {@link CALL_TIMEOUT_MS} unless given. */
  timeoutMs?: number;
  /** How long it may take in all, in milliseconds; {@link LONGEST_CALL_MS} unless given. */
  longestMs?: number;
  /** What a call would do; null or absent: nothing to add to the tool and its input. */
  describe?(input: Input): Promise<Description | null>;
  /**
   * Does it. Throws {@link ToolError} for what the model or the person can mend (its message is shown as it stands); anything
   * else thrown is a fault of ours. The output ({@link OutputWithFiles} where there are files, which a tool of the service
   * may give) is cut to a bounded size by whoever called; files are bounded by the tool.
   */
  run(input: Input, context: ToolContext): Promise<Output> | Output;
}

/** What a running call knows. */
export interface ToolContext {
  workspace: WorkspacePort;
  /** The moment the turn counts as "now". */
  now: Date;
  /** The person's IANA time zone, e.g. `Europe/Paris`. */
  timeZone: string;
  /** Fires when the turn is stopped or times out, or the call takes too long. */
  signal: AbortSignal;
  /**
   * The {@link Description.basis} that the person was asked on, also by an earlier process; absent: nobody was asked, or
   * there was none. What has changed since is not what they said yes to.
   */
  basis?: string;
  /** Where the person always allows it, of a call that asks and was not asked about: it is to be made there or not at all. */
  place?: string;
  /** To be called whenever there is a sign that the call gets on: its time then begins anew, see {@link LONGEST_CALL_MS}. */
  onProgress?: () => void;
}

/** How long a call in the service may take without a sign that it gets on, unless the tool says otherwise. */
export const CALL_TIMEOUT_MS = 60_000;
/** How long it may take in all, however much it gets on, unless the tool says otherwise. */
export const LONGEST_CALL_MS = 30 * 60_000;

/** Where a call does its work: what an “always” is given for, besides the tool. */
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
  /** What it changes in a text that is there, as hunks of a unified diff; absent: nothing, or it can't be shown whole. */
  diff?: string;
  /**
   * What that rests on, such as the state of a file; absent: nothing that could change meanwhile. A question that is
   * repeated after a restart is another one when this is not the same as before.
   */
  basis?: string;
  /** Absent: the tool has no such place. `unknown`: it can't be told, so no answer can be remembered. */
  place?: CallPlace | 'unknown';
}

/** A picture, sound or other file that a tool gives besides its output. */
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
  /** Whether the built-in assistant has a use for its tools; it is not asked for that one's turns otherwise. */
  isForOffline: boolean;
  /**
   * Those that there are as things stand, for a turn of these agents; which agent gets which is decided afterwards. Bounded in
   * time by itself; what can't be reached is left out. Rejects for faults of ours alone.
   */
  list(agentTypes: readonly string[]): Promise<Tool[]>;
}

/** A tool of Parley's own, whose input is checked against its schema before it runs. */
export type OwnTool<Input extends TSchema, Output> = Tool<Static<Input>, Output> & { input: Input };

/** What a tool gives. */
export type OutputOf<Own extends { run: Tool<never>['run'] }> = Awaited<ReturnType<Own['run']>>;

/** One of Parley's own tools, from what the catalogue says of it and what is declared here. */
export function defineTool<Input extends TObject, Output>(
  tool: {
    name: OwnToolName;
    description: string;
    input: Input;
    run(input: Static<Input>, context: ToolContext): Promise<Output> | Output;
  } & Pick<Tool<Static<Input>>, 'describe' | 'timeoutMs'>,
): OwnTool<Input, Output> {
  return { ...TOOLS[tool.name], ...tool };
}

/** A tool's own refusal, in words for the person: "I can't divide by zero." */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** A tool's end of which nobody knows whether it took effect; the words say so. */
export class DoubtError extends ToolError {
  override name = 'DoubtError';
}

/** What is said of it. */
export const DOUBT_WORDS = 'Whether it took effect is not known.';
