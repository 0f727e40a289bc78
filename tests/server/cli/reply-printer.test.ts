import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReplyPrinter } from '../../../server/cli/reply-printer.ts';
import { withoutControls } from '../../../server/cli/terminal.ts';

const COLUMNS = 50;

/** What a terminal shows of what was written. */
function screenOf(text: string): string {
  const rows = [''];
  for (const [piece] of text.matchAll(/\x1b\[\d*[A-Zm]|\r|\n|[^\x1b\r\n]+/g)) {
    if (piece === '\x1b[K') rows[rows.length - 1] = '';
    else if (piece === '\n') rows.push('');
    else if (!/^[\x1b\r]/.test(piece)) rows.push((rows.pop() ?? '') + piece);
  }
  return rows.join('\n').trimEnd();
}

let written: string;
const streams = [process.stdout, process.stderr];
const terminal = { isTTY: true, columns: COLUMNS };
const before = streams.map((stream) =>
  Object.keys(terminal).map((name) => [name, Object.getOwnPropertyDescriptor(stream, name)] as const),
);

beforeEach(() => {
  written = '';
  vi.stubEnv('TERM', 'xterm');
  for (const stream of streams) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text);
      return true;
    });
    for (const [name, value] of Object.entries(terminal))
      Object.defineProperty(stream, name, { value, configurable: true, writable: true });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const [index, stream] of streams.entries())
    for (const [name, descriptor] of before[index] ?? [])
      if (descriptor === undefined) Reflect.deleteProperty(stream, name);
      else Object.defineProperty(stream, name, descriptor);
});

describe('a reply on a terminal', () => {
  it('is its text as it comes, with what goes on until there is more', () => {
    const printer = createReplyPrinter();
    printer.update('', 'Thinking …');
    expect(screenOf(written)).toBe('Thinking …');
    printer.update('Half a sen', 'Calculate …');
    expect(screenOf(written)).toBe('Half a sen');
    printer.update('Half a sentence.\n', 'Calculate …');
    expect(screenOf(written)).toBe('Half a sentence.\nCalculate …');
    printer.end('Half a sentence.\nAnother.');
    expect(screenOf(written)).toBe('Half a sentence.\nAnother.');
  });

  it('leaves what there is when something else has to be printed', () => {
    const printer = createReplyPrinter();
    printer.update('Before.', 'Waits …');
    printer.settle();
    process.stdout.write('May I?\n');
    printer.end('Before. After.');
    expect(screenOf(written)).toBe('Before.\nMay I?\n After.');
  });

  it('shows only the text on a terminal that can not erase a line', () => {
    vi.stubEnv('TERM', 'dumb');
    const printer = createReplyPrinter();
    printer.update('', 'Thinking …');
    printer.end('Text.');
    expect(written).toBe('Text.\n');
  });

  it('commands the terminal nothing that the text says', () => {
    const printer = createReplyPrinter();
    printer.update('', 'a\u001b[2Jb');
    printer.end('a\u001b[2Jb \u001b]0;title\u0007c');
    expect(written).not.toMatch(/\x1b(?!\[(?:\d*m|K))/);
    expect(withoutControls('a\u001b[2Jb\u0007\r\nc\td\u009b1m\u202e')).toBe('a[2Jb\nc\td1m');
  });
});

describe('a reply in a pipe', () => {
  it('is its text as it comes, and anew when it was begun anew', () => {
    Object.defineProperty(process.stdout, 'isTTY', { value: false, configurable: true });
    vi.stubEnv('FORCE_COLOR', undefined);
    const printer = createReplyPrinter();
    printer.update('One', null);
    printer.update('One two', null);
    printer.update('On', null);
    printer.update('One two', null);
    expect(written).toBe('One two');
    printer.update('Other', null);
    printer.end('Other.');
    expect(written).toBe('One two\n\nOther.\n');
  });
});
