/**
 * Finds errors within answers of status 200, in all formats: the libraries miss some, and lose the codes of others.
 * They are read here as they arrive, and the answer ends there.
 */
import { FaultError } from './model-fault.ts';

/** Called with what a server reports: its JSON, or our own error if that can't be read. */
export type OnReport = (error: unknown) => void;

/** Longest line of an answer, in UTF-16 code units. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;
/** Longest answer as one piece of JSON, in UTF-16 code units. */
const MAX_WHOLE_CHARACTERS = 1024 * 1024;

/** The same answer, up to a line that reports an error. */
export function watchReports(response: Response, onReport: OnReport): Response {
  if (response.body === null) return response;
  const type = response.headers.get('content-type') ?? '';
  const isPage = /\bhtml\b/i.test(type);
  const isStream = !isPage && !/\bapplication\/json\b/i.test(type);
  const watch = isStream ? createLineWatch(/ndjson/i.test(type)) : createWholeWatch(isPage);
  const decoder = new TextDecoder();
  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, out) {
        const report = watch.read(decoder.decode(bytes, { stream: true }));
        // Everything before it is part of the answer; what the libraries make of the report itself doesn't matter.
        out.enqueue(bytes);
        if (report === null) return;
        onReport(report.error);
        out.terminate();
      },
      flush() {
        const report = watch.end();
        if (report !== null) onReport(report.error);
      },
    }),
  );
  return new Response(watched, response);
}

interface Report {
  error: unknown;
}

interface Watch {
  read: (text: string) => Report | null;
  end: () => Report | null;
}

/** Watches an answer of lines; with `isStrict`, each has to be JSON. */
function createLineWatch(isStrict: boolean): Watch {
  let rest = '';
  return {
    read(text) {
      const [end = '', ...lines] = text.split('\n');
      rest += end;
      // A long line isn't scanned again with each piece of it.
      for (const next of lines) {
        const line = rest;
        rest = next;
        const report = reportIn(line, isStrict);
        if (report !== null) return report;
      }
      return rest.length > MAX_LINE_CHARACTERS ? { error: new FaultError('unreadable') } : null;
    },
    end: () => reportIn(rest, isStrict),
  };
}

/** Watches an answer that is no stream: one piece of JSON, or a page, which no model sends. */
function createWholeWatch(isPage: boolean): Watch {
  let whole = '';
  return {
    read(text) {
      if (isPage) return { error: new FaultError('unreadable') };
      if (whole.length < MAX_WHOLE_CHARACTERS) whole += text;
      return null;
    },
    // Some servers use this content type for a stream of lines too.
    end: () =>
      reportIn(whole, false) ??
      whole.split('\n').reduce<Report | null>((found, line) => found ?? reportIn(line, false), null),
  };
}

function reportIn(line: string, isStrict: boolean): Report | null {
  const isLikely = line.includes('"error"');
  if (line.trim() === '' || (!isLikely && !isStrict)) return null;
  try {
    const data: unknown = JSON.parse(line.replace(/^(?:data|error):/, ''));
    const error: unknown = Array.isArray(data) ? (data as unknown[])[0] : data;
    if (typeof error !== 'object' || error === null || !('error' in error)) return null;
    return error.error === null || error.error === '' ? null : { error };
  } catch {
    return isStrict ? { error: new FaultError('unreadable') } : null;
  }
}
