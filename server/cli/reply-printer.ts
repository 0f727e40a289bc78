/**
 * A reply while it is written: complete blocks of its Markdown are printed for good. On a terminal the last one, which may still change,
 * is redrawn below them, with a line on what is going on.
 */
import type { Token } from 'marked';
import { blocksOf, renderBlocks } from './markdown.ts';
import { terminalColumns, proseColumns, styled, withoutControls } from './terminal.ts';
import { fit, widthOf } from './text-width.ts';

const FRAME_MS = 50;
/** Rows left free above the redrawn part, since the terminal couldn't go back to them. */
const SPARE_ROWS = 2;
const USUAL_ROWS = 24;

/** Prints a reply that grows to standard output. */
export function createReplyPrinter() {
  /** What can be redrawn: nothing if output is only coloured, or the terminal can't move back. */
  const canRedraw = process.stdout.isTTY && process.env['TERM'] !== 'dumb';
  let text = '';
  let doing: string | null = null;
  /** How much of the text is printed for good. */
  let printed = 0;
  let hasBlocks = false;
  let drawnRows = 0;
  let timer: NodeJS.Timeout | null = null;

  const clear = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (drawnRows > 0) process.stdout.write(`\r\x1b[${drawnRows}A\x1b[J`);
    drawnRows = 0;
  };
  const print = (blocks: readonly Token[]): void => {
    const lines = renderBlocks(blocks, proseColumns());
    if (lines.length > 0) process.stdout.write(`${hasBlocks ? '\n' : ''}${lines.join('\n')}\n`);
    hasBlocks ||= lines.length > 0;
    printed += blocks.reduce((sum, { raw }) => sum + raw.length, 0);
  };
  const draw = (): void => {
    const blocks = blocksOf(text.slice(printed));
    const last = blocks.findLastIndex(({ type }) => type !== 'space');
    clear();
    if (last > 0) print(blocks.slice(0, last));
    if (!canRedraw) return;
    const block = renderBlocks(blocks.slice(Math.max(last, 0)), proseColumns());
    const lines = [...(hasBlocks && block.length > 0 ? [''] : []), ...block];
    if (doing !== null) lines.push(styled('dim', fit(withoutControls(doing), terminalColumns() - 1)));
    const shown = lastRows(lines, (process.stdout.rows || USUAL_ROWS) - SPARE_ROWS);
    if (shown.lines.length > 0) process.stdout.write(`${shown.lines.join('\n')}\n`);
    drawnRows = shown.rows;
  };
  const settle = (): void => {
    clear();
    print(blocksOf(text.slice(printed)));
  };
  const take = (now: string): void => {
    const cleaned = withoutControls(now);
    const kept = text.slice(0, printed);
    // A restarted reply, as above.
    if (kept.startsWith(cleaned) && kept !== '') return;
    if (!cleaned.startsWith(kept)) printed = 0;
    text = cleaned;
  };
  return {
    /** Takes all text so far, and what is going on; null: the text says it. */
    update(now: string, activity: string | null): void {
      take(now);
      doing = activity;
      timer ??= setTimeout(draw, FRAME_MS);
    },
    /** Prints everything so far for good, so that something else can follow it. */
    settle,
    /** Prints the whole text. */
    end(now: string): void {
      take(now);
      settle();
    },
  };
}

/** As many of the last lines as fit, and how many rows they take. */
function lastRows(lines: readonly string[], most: number): { lines: string[]; rows: number } {
  const columns = terminalColumns();
  let rows = 0;
  let first = lines.length;
  for (; first > 0; first -= 1) {
    const width = widthOf(lines[first - 1] ?? '');
    const taken = Math.max(1, Math.ceil(width / columns));
    if (rows + taken > most) break;
    rows += taken;
  }
  return { lines: lines.slice(first), rows };
}
