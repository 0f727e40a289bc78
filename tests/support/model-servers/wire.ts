/** The common parts of the formats of model servers, as far as the scenarios need them. */

/** A client's request to the model, whatever the format. */
export interface Asked {
  /** The model, as the client named it. */
  model: string;
  stream: boolean;
  /** All texts of the conversation, oldest first; instructions too. */
  messages: { role: 'system' | 'user' | 'assistant'; text: string }[];
  /** Names of the tools that were offered. */
  tools: string[];
  /** The results of the tools called since the last user message. */
  toolResults: string[];
  /** Calls of tools that the conversation holds; only in OpenAI's format. */
  calls?: ToolCall[];
}

/** A call of a tool; `args` as JSON text, so that it can be broken. */
export interface ToolCall {
  name: string;
  args: string;
}

/** The model's answer. */
export interface Answer {
  kind: 'answer';
  reasoning?: string[];
  text?: string[];
  calls?: ToolCall[];
  /** With `instead: 'fault'`: the error that is reported; the format's own unless given. */
  report?: unknown;
  /** It doesn't say how many tokens it took; only in OpenAI's format, where many servers don't. */
  isUncounted?: boolean;
  /** The tokens it took; {@link TOLD_USAGE} unless given. */
  tokens?: { inputTokens: number; outputTokens: number; reasoningTokens?: number; cachedTokens?: number };
  /** A filter held back the model's text; only in OpenAI's format. */
  isFiltered?: boolean;
  /** Why the model declines; only in OpenAI's format, where it comes apart from the text. */
  refusal?: string[];
  /** The model's length limit cut it off. */
  isCut?: boolean;
  /** Waits so long before the first byte of the answer's body. */
  firstAfterMs?: number;
  /** Waits so long before each piece. */
  everyMs?: number;
  /**
   * After all pieces, instead of the end. `stall`: nothing more comes. `break`: the connection does. `truncate`: the answer
   * ends properly, without the format's own end. `malform`: what comes can't be read. `fault`: the format's own error.
   */
  instead?: 'stall' | 'break' | 'truncate' | 'malform' | 'fault';
}

/** A server that doesn't answer: an HTTP status and the provider's words. */
export interface Refusal {
  kind: 'refusal';
  status: number;
  message: string;
  headers?: Record<string, string>;
}

/** The connection ends before a byte is sent. */
export interface HangUp {
  kind: 'hang_up';
}

/** A scenario's answer to one request. */
export type Act = Answer | Refusal | HangUp;

/** The reported length of an answer's pieces, in tokens; the same in each format. */
export const REPORTED_USAGE = { inputTokens: 11, outputTokens: 7 } as const;

/** A format that model servers speak. */
export interface Wire {
  /** What follows the server's address in a connection's base address. */
  basePath: string;
  /** The request to the model; null: it is for something else. */
  read(path: string, body: unknown): Asked | null;
  /** Answer to a request that lists or describes models; null: not such a request. */
  describe(path: string, models: readonly string[], body: unknown, contextTokens?: number): unknown;
  contentType: string;
  /** The answer as a stream: one piece a token, then the end. */
  pieces(asked: Asked, answer: Answer): { pieces: string[]; end: string[] };
  /** The answer as one body. */
  whole(asked: Asked, answer: Answer): unknown;
  /** Something that can't be read, and an error of the model's in the midst of a stream. */
  malformed: string;
  fault: string;
  /** The body of a refusal. */
  refusal(status: number, message: string): unknown;
  /** How it says that there is no such model; 404 in words of OpenAI's unless given. */
  noModel?(model: string): { status: number; message: string };
}

export type Json = Record<string, unknown>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records in a list; nothing else counts. */
export const recordsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A message's text, given as such or in parts. */
export const contentText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : recordsIn(content)
        .map((part) => textOf(part['text']))
        .join('');
