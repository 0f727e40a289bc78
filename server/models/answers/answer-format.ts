/**
 * What the formats of answers have in common. Each reads a server's events and gives those that its library knows, with the fields
 * that it needs: whatever else a server sends changes nothing. The end of a reply is given once, when nothing can follow it.
 */
import { fieldsOf, listOf, textOf, type Fields } from '../../lib/fields.ts';
import { FaultError } from '../model-fault.ts';

/** What an event means. */
export interface Heard {
  /** The same as the library knows it. */
  events: object[];
  /** What the server reports instead of an answer, where {@link errorIn} doesn't see it. */
  error?: unknown;
  /** The server's word for why the reply is over; null: it gives none yet. */
  word?: string | null;
  /** What it says about that. */
  details?: string | null;
  /** The reply is over. `soon`, as with a word alone: its usage may follow. */
  end?: 'now' | 'soon';
}

/** Reads the events of one answer. */
export interface AnswerFormat {
  /** Each event is a line of its own, rather than a server-sent event. */
  isLines: boolean;
  /** Null: the event isn't known. */
  read(event: Fields): Heard | null;
  /** The events that end the reply. Called once, if the server said that it is over; `stop` where it didn't say why. */
  close(reason: Reason): object[];
}

/** Why a model stopped. */
export type Reason = 'stop' | 'length' | 'filter' | 'calls';
/** Why an answer ended; `error`: it broke off. */
type Ending = Reason | 'error';

/** In this order, since words such as `max_tokens` and `eos_token` resemble each other. */
const ENDINGS: readonly [RegExp, Ending][] = [
  [/^(?:stop|eos|end|complete|finish|done|normal|success|pause)/i, 'stop'],
  [
    /error|abort|cancel|fail|insufficient|unavailable|overload|time[d_]?_?out|interrupt|malformed|unexpected|too_many|missing|invalid|crash|disconnect/i,
    'error',
  ],
  [/tool|function/i, 'calls'],
  [
    /filter|safety|refus|sensitive|block|prohibit|recitation|spii|guardrail|armor|moderat|policy|language/i,
    'filter',
  ],
  [/length|max|limit|token|context|budget|truncat|incomplete/i, 'length'],
];

/** What a server's word for the end means; a new word means that it is over. */
export const endingOf = (word: string): Ending => ENDINGS.find(([words]) => words.test(word))?.[1] ?? 'stop';

/** A server's word for the end; null: it gives none yet. */
export function endWordOf(value: unknown): string | null {
  const word = textOf(value);
  return word === null || /^(?:null|none|.*unspecified)$/i.test(word) ? null : word;
}

/** A reply that broke off, with the server's word for that. */
export const brokenOff = (word: string): FaultError =>
  new FaultError(/insufficient|overload|unavailable/i.test(word) ? 'busy' : 'server_fault', word);

/** The error that an event reports, however it does; undefined: none. */
export function errorIn(event: Fields): unknown {
  const { status_code: code, status_msg: message } = fieldsOf(event['base_resp']);
  if (typeof code === 'number' && code !== 0) return { error: { code, message } };
  const isNamed = event['object'] === 'error' || event['type'] === 'error';
  return isNamed || isError(event['error']) ? event : undefined;
}

/** Whether something is an error: some servers send empty ones with each event. */
export function isError(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isError);
  return value === true || (typeof value === 'number' && value !== 0);
}

/** The fields of those names that are counts. */
export const numbersIn = (value: unknown, names: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const number = fieldsOf(value)[name];
      return Number.isSafeInteger(number) && Number(number) >= 0 ? [[name, Number(number)] as const] : [];
    }),
  );

/** The fields of the objects in a list. */
export const recordsIn = (value: unknown): readonly Fields[] => (listOf(value) ?? []).map(fieldsOf);

/** What stands in a reply for a picture, a sound or another file of the model's. */
export const FILE_NOTE = '\n\n[The model sent a picture or another file here, which Parley can’t show.]';

/** An id, which some servers send as a number; null: none. */
export const idOf = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : textOf(value);

/** A tool's name, without the marks of a model's format that some servers leave at it; null: none. */
export const toolNameOf = (value: unknown): string | null =>
  textOf(
    textOf(value)
      ?.split('<|')[0]
      ?.trim()
      .replace(/^(?:(?:functions?|default_api)[.:/]|call:)|:\d+$/g, ''),
  );

/** A call's arguments as text; some servers send them as they are meant. Null: none. */
export const argumentsText = (value: unknown): string | null =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);
