import type { Static, TObject, TSchema } from 'typebox';

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

/** What a running tool knows of the turn it works for. */
export interface ToolContext {
  workspace: WorkspacePort;
  /** The moment the turn counts as "now". */
  now: Date;
  /** The person's IANA time zone, e.g. `Europe/Paris`. */
  timeZone: string;
  /** Fires when the turn is stopped or times out. */
  signal: AbortSignal;
}

/**
 * A tool: a function with a name, a schema on either side and nothing to do with how a model decides to call it.
 * `run` throws {@link ToolError} for what the person can mend (its message is shown as it stands); anything else
 * thrown is a fault of ours.
 */
export interface Tool<Input extends TObject = TObject, Output extends TSchema = TSchema> {
  /** snake_case, unique. */
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  input: Input;
  output: Output;
  run(input: Static<Input>, context: ToolContext): Promise<Static<Output>> | Static<Output>;
}

/** Keeps the schema types of a tool while it is declared. */
export function defineTool<Input extends TObject, Output extends TSchema>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool;
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
