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

interface Report {
  error: unknown;
}

/**
 * The same answer, up to a line that reports an error. An answer that is one piece of JSON is read at its end; a page is an error,
 * since no model sends one.
 */
export function watchReports(response: Response, onReport: OnReport): Response {
  if (response.body === null) return response;
  const type = response.headers.get('content-type') ?? '';
  const isPage = /\bhtml\b/i.test(type);
  const isWhole = /\bapplication\/json\b/i.test(type);
  const isStrict = /ndjson/i.test(type);
  const decoder = new TextDecoder();
  let rest = '';

  function read(text: string): Report | null {
    if (isPage) return { error: new FaultError('unreadable') };
    if (isWhole) {
      if (rest.length < MAX_WHOLE_CHARACTERS) rest += text;
      return null;
    }
    const [end = '', ...lines] = text.split('\n');
    rest += end;
    // A long line isn't scanned again with each piece of it.
    for (const next of lines) {
      const report = reportIn(rest, isStrict);
      rest = next;
      if (report !== null) return report;
    }
    return rest.length > MAX_LINE_CHARACTERS ? { error: new FaultError('unreadable') } : null;
  }

  const watched = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, out) {
        const report = read(decoder.decode(bytes, { stream: true }));
        // Everything before it is part of the answer; what the libraries make of the report itself doesn't matter.
        out.enqueue(bytes);
        if (report === null) return;
        onReport(report.error);
        out.terminate();
      },
      flush() {
        // Some servers send a stream of lines as JSON, too.
        const texts = isWhole ? [rest, ...rest.split('\n')] : [rest];
        const report = texts.map((text) => reportIn(text, isStrict)).find((found) => found !== null);
        if (report) onReport(report.error);
      },
    }),
  );
  return new Response(watched, response);
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
