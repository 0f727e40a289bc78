/** A chat of another app in the common form for all archives: a tree, since each app keeps versions. */
import type { ImportApp } from '../../../shared/api/data.ts';
import { attempt } from '../../../shared/attempt.ts';
import { isObject, textOf, type Fields } from '../../lib/fields.ts';

/** What a message is made of, in its order. */
export type SourcePart =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'call'; callId: string | null; tool: string; input: unknown }
  /** A tool's output, for the call of that id; null: for the last call, if it was that tool's or the tool has no name. */
  | { kind: 'result'; callId: string | null; tool: string; output: unknown; failed: boolean }
  /** What a reply is based on: a page, or null and the name of a file. */
  | { kind: 'source'; title: string; url: string | null }
  /** Why there is no more of the reply. */
  | { kind: 'error'; text: string }
  /** The reply ends here, though it wasn't done. */
  | { kind: 'cut'; reason: 'stopped' | 'length' }
  /** Something that Parley can't import. */
  | { kind: 'missing'; what: MissingKind; name: string | null };

/** Kinds of things that aren't imported; a line in the message marks each. */
export type MissingKind = 'image' | 'recording' | 'file';

/** One message in the tree. */
export interface SourceNode {
  /** Id of the one before it; null, or one that isn't there: it begins the chat. */
  parent: string | null;
  /** `none`: it isn't shown; only what follows it counts. */
  role: 'user' | 'assistant' | 'none';
  /** ISO 8601; null: unknown. */
  createdAt: string | null;
  /** The model that wrote it; null or absent: a person, or unknown. */
  model?: string | null;
  /** It is a system prompt, which isn't imported. */
  isInstruction?: boolean;
  parts: SourcePart[];
}

/** One chat. */
export interface SourceChat {
  /** The app's id for it; the same in every archive of that app. */
  id: string;
  /** Empty: it has none. */
  title: string;
  createdAt: string | null;
  updatedAt: string | null;
  pinned?: boolean;
  archived?: boolean;
  /** The model of replies that name none; null or absent: unknown. */
  model?: string | null;
  /** By id, each after those that came before it. */
  nodes: Map<string, SourceNode>;
  /** The message that was open last; null or absent: the newest. */
  current?: string | null;
  /** Whether it has a system prompt that is none of the messages. */
  hasInstruction?: boolean;
}

/** Reads what one app exports. */
export interface AppReader {
  app: ImportApp;
  /** The app's name as people know it. */
  name: string;
  /** Whether something is a chat of this app. */
  recognises(value: Fields): boolean;
  /** Reads the chat. */
  read(value: Fields): SourceChat;
  /** Reads what the app exports beside chats, which isn't imported: how many instructions it is, and what else is left out. Null: it is no such thing. */
  readOther?(value: Fields): { instructions: number; leftOut: string | null } | null;
}

export const stringIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const itemsIn = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
/** The elements of a list that are objects. */
export const objects = (value: unknown): Fields[] => itemsIn(value).filter(isObject);

/** A time as ISO 8601 in UTC, from seconds or milliseconds since 1970 or from text; null: there is none. */
export function timeFrom(value: unknown, unit: 'seconds' | 'milliseconds' = 'seconds'): string | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const time = new Date(typeof value === 'number' && unit === 'seconds' ? value * 1000 : value);
  const isPlausible = time.getTime() > 0 && time.getUTCFullYear() <= 9999;
  return isPlausible ? time.toISOString() : null;
}

/** A part of text; none if the text is blank. */
export const textPart = (value: unknown): SourcePart[] =>
  typeof value === 'string' && value.trim() !== '' ? [{ kind: 'text', text: value }] : [];

/** That the reply isn't whole, if a person stopped it or it reached a limit. */
export const cutPart = (isStopped: boolean, isAtLimit: boolean): SourcePart[] =>
  isStopped || isAtLimit ? [{ kind: 'cut', reason: isStopped ? 'stopped' : 'length' }] : [];

/** A part that isn't imported. */
export const missing = (what: MissingKind, name: string | null = null): SourcePart => ({
  kind: 'missing',
  what,
  name,
});

/** A message that isn't shown. */
export const hidden = (parent: string | null, isInstruction = false): SourceNode => ({
  parent,
  role: 'none',
  createdAt: null,
  isInstruction,
  parts: [],
});

/** The output of a tool, for the call of that id, else for the last one. */
export const result = (
  tool: string,
  output: unknown,
  failed = false,
  callId: string | null = null,
): SourcePart => ({
  kind: 'result',
  callId,
  tool,
  output,
  failed,
});

/** A call of a tool. */
export const call = (callId: string | null, tool: unknown, input: unknown): SourcePart => ({
  kind: 'call',
  callId,
  tool: textOf(tool) ?? 'tool',
  input: callInput(input),
});

/** The input of a call, parsed if it is JSON. */
export function callInput(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  return /^\s*[[{]/.test(value) ? (attempt(() => JSON.parse(value) as unknown) ?? value) : value;
}
