/** A reply while it is written: its text as it comes, and on a terminal what is going on until more of it comes. */
import { styleText } from 'node:util';
import { columnsOf, forReader } from './terminal.ts';
import { fit } from './text-width.ts';

export function createReplyPrinter() {
  let written = '';
  let isInLine = false;
  let shown = '';
  const showDoing = (doing: string): void => {
    const canShow = process.stdout.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb';
    if (!canShow || doing === shown) return;
    shown = doing;
    const line = doing === '' ? '' : styleText('dim', fit(forReader(doing), columnsOf() - 1));
    process.stderr.write(`\r\x1b[K${line}`);
  };
  const write = (given: string): void => {
    const text = forReader(given);
    // A restarted reply may repeat its text. If it differs, the new text follows what can't be erased.
    if (written.startsWith(text)) return;
    showDoing('');
    process.stdout.write(text.startsWith(written) ? text.slice(written.length) : `\n\n${text}`);
    written = text;
    isInLine = !text.endsWith('\n');
  };
  const endLine = (): void => {
    showDoing('');
    if (isInLine) process.stdout.write('\n');
    isInLine = false;
  };
  return {
    /** All text so far, and what is going on; null: the text says it. */
    update(text: string, doing: string | null): void {
      write(text);
      // Elsewhere it would be in the middle of a line of the reply.
      if (!isInLine) showDoing(doing ?? '');
    },
    /** Ends the line on a terminal, so that something else can be printed. */
    settle(): void {
      if (process.stdout.isTTY) endLine();
    },
    /** The whole text. */
    end(text: string): void {
      write(text);
      endLine();
    },
  };
}
