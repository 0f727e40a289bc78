import type { Readable } from 'node:stream';
import type { Mask } from '../secrets/mask.ts';

/** How much of one program's output is logged, in characters. */
const MAX_LOGGED = 8_000;
const MAX_LINE = 500;
const KEPT_LINES = 6;

/** Reads a program's stderr until it ends. `log` gets lines up to a limit, without secrets; the returned function gives the last ones. */
export function readStderr(stderr: Readable, mask: Mask, log: (line: string) => void): () => string {
  const lines: string[] = [];
  let rest = '';
  let logged = 0;

  function take(text: string): void {
    const line = mask(text.replace(/[\p{Cc}\s]+/gu, ' ').trim()).slice(0, MAX_LINE);
    if (line === '') return;
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    if (logged > MAX_LOGGED) return;
    logged += line.length;
    log(logged > MAX_LOGGED ? 'writes more than is logged.' : line);
  }

  stderr.setEncoding('utf8');
  stderr.on('data', (text: string) => {
    const pieces = (rest + text).split('\n');
    rest = pieces.pop() ?? '';
    // Don't keep all of an endless line.
    if (rest.length > MAX_LOGGED) {
      pieces.push(rest);
      rest = '';
    }
    pieces.forEach(take);
  });
  stderr.on('end', () => {
    take(rest);
    rest = '';
  });
  stderr.on('error', () => undefined);
  return () => (rest.trim() === '' ? lines : [...lines, mask(rest.trim()).slice(0, MAX_LINE)]).join('\n');
}
