/** One event of a stream of server-sent events. */
export interface StreamEvent {
  /** What the stream says the reader's place is, since its last `id` line; empty: it has said none. */
  id: string;
  /** `message` unless the stream names another. */
  type: string;
  data: string;
}

/** Reads a stream of server-sent events from its text, in pieces that may be cut anywhere. */
export interface EventParser {
  /** Takes the next piece; returns the events that it completes. */
  push(text: string): StreamEvent[];
}

/**
 * A parser as the HTML standard describes it: lines end with CR, LF or both, comments and unknown fields are passed over,
 * an event that the stream ends in the midst of never was. `retry` is left to whoever reconnects.
 */
export function createEventParser(): EventParser {
  let isFirst = true;
  /** The last piece ended with CR: an LF that comes now belongs to it. */
  let hasReturned = false;
  /** The line that isn't complete, in pieces, since a long one comes in many. */
  let line: string[] = [];
  let id = '';
  let type = '';
  let data: string[] = [];

  function takeLine(text: string, events: StreamEvent[]): void {
    if (text === '') {
      if (data.length > 0) events.push({ id, type: type === '' ? 'message' : type, data: data.join('\n') });
      type = '';
      data = [];
      return;
    }
    const colon = text.indexOf(':');
    const field = colon === -1 ? text : text.slice(0, colon);
    const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
  }

  return {
    push(text) {
      const events: StreamEvent[] = [];
      if (text === '') return events;
      let start = 0;
      if (isFirst && text.startsWith('\ufeff')) start = 1;
      isFirst = false;
      if (hasReturned && text[start] === '\n') start += 1;
      hasReturned = text.endsWith('\r');
      const end = /\r\n|\r|\n/g;
      end.lastIndex = start;
      for (let match = end.exec(text); match !== null; match = end.exec(text)) {
        line.push(text.slice(start, match.index));
        takeLine(line.length === 1 ? (line[0] ?? '') : line.join(''), events);
        line = [];
        start = end.lastIndex;
      }
      if (start < text.length) line.push(text.slice(start));
      return events;
    },
  };
}
