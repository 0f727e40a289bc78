/** Reads the events of an answer: server-sent events, a JSON a line, or one JSON, whatever the server calls it. */

import { parseExactly } from '../../lib/exact-json.ts';

/** One event of an answer. */
export type AnswerEvent =
  /** `isError`: the server named the event so. `isBare`: it is no server-sent event. */
  | { kind: 'json'; value: unknown; isError: boolean; isBare: boolean }
  /** `[DONE]`. */
  | { kind: 'done' }
  /** JSON that can't be read: a part of the answer is lost. */
  | { kind: 'damaged' }
  /** A text that is neither JSON nor a server-sent event. */
  | { kind: 'text'; text: string };

/** Longest line of an answer, or answer as one JSON of several lines, in UTF-16 code units. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Some proxies wrap events twice: `data: data: {…}`. */
const FIELD = /^(event|data|error)(?:: ?(?:data: ?)*(.*))?$/s;
/** A call whose arguments are an object, with numbers to be kept as they are. */
const OBJECT_ARGUMENTS = /"(?:args|arguments|input)"\s*:\s*\{/;
const JSON_START = /^\s*(?:\{|\[\s*(?:[[{"\]]|$))/;
const isErrorName = (name: string): boolean => /error|exception/i.test(name);

/** Reads one answer, piece by piece. Comments, and data that isn't JSON, are no events. */
export function createEventReader() {
  const decoder = new TextDecoder();
  let rest = '';
  /** Of the event being read: its name, and its data if that isn't complete after one line. */
  let name = '';
  let data = '';
  /** The lines of a JSON that began on the first line and didn't end there. */
  let whole: string | null = null;
  let hasRead = false;

  function eventIn(text: string, isBare = false): AnswerEvent | null {
    if (/^\s*\[DONE\]\s*$/i.test(text)) return { kind: 'done' };
    try {
      const value: unknown = OBJECT_ARGUMENTS.test(text) ? parseExactly(text) : JSON.parse(text);
      hasRead = true;
      return { kind: 'json', value, isError: isErrorName(name), isBare };
    } catch {
      return null;
    }
  }

  function readLine(line: string): AnswerEvent[] {
    if (whole !== null) {
      whole += line;
      return [];
    }
    if (line.trim() === '') return endEvent();
    const [, field, value = ''] = FIELD.exec(line) ?? [];
    if (field === undefined) return data === '' ? readBare(line) : [];
    if (field === 'event') name = value.trim();
    else {
      if (field === 'error') name = field;
      // Some servers leave out the blank line that ends an event.
      const event = data === '' ? eventIn(value) : null;
      if (event !== null) return [event];
      data += data === '' ? value : `\n${value}`;
    }
    return [];
  }

  function readBare(line: string): AnswerEvent[] {
    if (!JSON_START.test(line)) return /^(?:id|retry)?:/.test(line) ? [] : [{ kind: 'text', text: line }];
    const event = eventIn(line, true);
    if (event !== null) return [event];
    if (hasRead) return [{ kind: 'damaged' }];
    whole = line;
    return [];
  }

  function endEvent(): AnswerEvent[] {
    const text = data;
    data = '';
    const event = text.trim() === '' ? null : eventIn(text);
    const isError = isErrorName(name) || /^\W{0,2}error\b/i.test(text);
    name = '';
    if (event !== null) return [event];
    if (isError && text !== '') return [{ kind: 'json', value: { error: text }, isError, isBare: false }];
    return JSON_START.test(text) ? [{ kind: 'damaged' }] : [];
  }

  return {
    read(bytes: Uint8Array): AnswerEvent[] {
      // A long line isn't searched again with each piece of it.
      const [end = '', ...lines] = decoder.decode(bytes, { stream: true }).split('\n');
      rest += end;
      const events = lines.flatMap((next) => {
        const line = rest;
        rest = next;
        return readLine(line.replace(/\r$/, ''));
      });
      if (rest.length + (whole ?? data).length <= MAX_CHARACTERS) return events;
      [rest, data, whole] = ['', '', null];
      return [...events, { kind: 'damaged' }];
    },
    /** What was left at the end of the answer. */
    end(): AnswerEvent[] {
      const events = [...readLine(rest), ...endEvent()];
      if (whole === null) return events;
      return [...events, eventIn(whole, true) ?? { kind: 'damaged' }];
    },
  };
}
