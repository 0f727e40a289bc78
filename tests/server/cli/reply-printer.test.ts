import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderMarkdown } from '../../../server/cli/markdown.ts';
import { createReplyPrinter } from '../../../server/cli/reply-printer.ts';

const COLUMNS = 50;
const ROWS = 12;
const FRAME_MS = 60;

/** What a terminal shows of what was written, with all that has scrolled away. */
function screenOf(written: string): string {
  const rows: string[] = [''];
  let row = 0;
  for (const [piece] of written.matchAll(/\x1b\[\d*[A-Zm]|\r|\n|[^\x1b\r\n]+/g)) {
    const up = /\x1b\[(\d+)A/.exec(piece)?.[1];
    if (up !== undefined) {
      expect(Number(up), 'rows that have scrolled away can not be drawn anew').toBeLessThan(ROWS);
      row -= Number(up);
    } else if (piece === '\x1b[J') {
      rows.length = row + 1;
      rows[row] = '';
    } else if (piece === '\n') rows[(row += 1)] ??= '';
    else if (!/^(?:\x1b|\r)/.test(piece)) rows[row] = (rows[row] ?? '') + piece;
  }
  return rows.join('\n').trimEnd();
}

let written: string;
const terminal = { isTTY: true, columns: COLUMNS, rows: ROWS };
const before = Object.fromEntries(
  Object.keys(terminal).map((name) => [name, Object.getOwnPropertyDescriptor(process.stdout, name)]),
);

beforeEach(() => {
  written = '';
  vi.useFakeTimers();
  vi.stubEnv('TERM', 'xterm');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  for (const [name, value] of Object.entries(terminal))
    Object.defineProperty(process.stdout, name, { value, configurable: true, writable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const [name, descriptor] of Object.entries(before)) {
    if (descriptor === undefined) Reflect.deleteProperty(process.stdout, name);
    else Object.defineProperty(process.stdout, name, descriptor);
  }
});

const TEXT = [
  '# A title',
  'Some **bold** words, and so many of them that they have to be broken into several lines.',
  '- one\n- two\n  - nested\n\n- three, after an empty line',
  '| a | b |\n| --- | ---: |\n| 1 | 20 |\n| 3 | 中文 |',
  `\`\`\`js\n${Array.from({ length: 30 }, (_line, index) => `line ${index}`).join('\n')}\n\`\`\``,
  '> quoted\n\n1. first\n2. second',
  'The end.',
].join('\n\n');
const whole = (): string =>
  renderMarkdown(TEXT, COLUMNS - 1)
    .map(stripVTControlCharacters)
    .join('\n')
    .trimEnd();

describe('a reply on a terminal', () => {
  it.each([1, 7, 40, 10_000])('ends as the whole is rendered, whatever it came in: %i at a time', (size) => {
    const printer = createReplyPrinter();
    for (let length = 0; length < TEXT.length; length += size) {
      printer.update(TEXT.slice(0, length), 'Calculate …');
      vi.advanceTimersByTime(FRAME_MS);
    }
    printer.end(TEXT);
    expect(screenOf(written)).toBe(whole());
  });

  it('shows what comes before it is whole, and what goes on, which is gone in the end', () => {
    const printer = createReplyPrinter();
    printer.update('Half a sen', 'Thinking …');
    vi.advanceTimersByTime(FRAME_MS);
    expect(screenOf(written)).toBe('Half a sen\nThinking …');
    printer.end('Half a sentence.');
    expect(screenOf(written)).toBe('Half a sentence.');
  });

  it('leaves what there is when something else has to be printed', () => {
    const printer = createReplyPrinter();
    printer.update('Before.', 'Waits …');
    printer.settle();
    process.stdout.write('May I?\n');
    printer.end('Before.\n\nAfter.');
    expect(screenOf(written)).toBe('Before.\nMay I?\n\nAfter.');
  });

  it('is not printed twice when it was begun anew and says the same', () => {
    const printer = createReplyPrinter();
    for (const length of [TEXT.length - 5, 20, TEXT.length]) {
      printer.update(TEXT.slice(0, length), null);
      vi.advanceTimersByTime(FRAME_MS);
    }
    printer.end(TEXT);
    expect(screenOf(written)).toBe(whole());
  });

  it('draws nothing anew on a terminal that can not move back', () => {
    vi.stubEnv('TERM', 'dumb');
    const printer = createReplyPrinter();
    for (let length = 0; length < TEXT.length; length += 9) {
      printer.update(TEXT.slice(0, length), 'Calculate …');
      vi.advanceTimersByTime(FRAME_MS);
    }
    printer.end(TEXT);
    expect(written).not.toMatch(/\x1b\[\d*[AJ]/);
    expect(stripVTControlCharacters(written).trimEnd()).toBe(whole());
  });

  it('commands the terminal nothing that the text says', () => {
    const printer = createReplyPrinter();
    printer.end('a\u001b[2Jb \u001b]0;title\u0007c');
    expect(written).not.toMatch(/\x1b(?!\[\d*m)/);
  });
});

describe('a reply in a pipe', () => {
  beforeEach(() => {
    Object.defineProperty(process.stdout, 'isTTY', { value: false, configurable: true });
    vi.stubEnv('FORCE_COLOR', undefined);
  });

  it('comes block by block, without what Markdown or a terminal needs', () => {
    const printer = createReplyPrinter();
    const long = 'word '.repeat(60).trim();
    const text = `# A title\n\nSome **bold** and \`code\` & [here](https://a.example): ${long}\n\n\`\`\`sh\nls -l\n  x\n\`\`\`\n\n---\n\n- one`;
    printer.update(text.slice(0, 40), 'Calculate …');
    vi.advanceTimersByTime(FRAME_MS);
    expect(written).toBe('A title\n');
    printer.end(text);
    const rule = '─'.repeat(100);
    expect(written).toBe(
      `A title\n\nSome bold and code & here (https://a.example): ${long}\n\nls -l\n  x\n\n${rule}\n\n• one\n`,
    );
  });
});
