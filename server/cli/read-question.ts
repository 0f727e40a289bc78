import { fstatSync } from 'node:fs';
import { devNull } from 'node:os';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { withThousands } from '../../shared/numbers.ts';
import { attempt } from '../../shared/attempt.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { hint } from './terminal.ts';

/** No character takes more bytes. */
const MOST_BYTES = MAX_CONTENT_CHARACTERS * 4;
/** When to tell a person that the command is waiting for input. */
const HINT_AFTER_MS = 3_000;

/** The message: the words, followed by piped input. Throws CommandError when it is empty, too long or not text. */
export async function readAskedMessage(words: readonly string[]): Promise<string> {
  const question = words.join(' ').trim();
  const context = hasInput() ? (await readInput()).trimEnd() : '';
  const text = [question, context].filter((part) => part.trim() !== '').join('\n\n');
  if (text === '') {
    throw new CommandError(
      'There is no question. Write it after the command, as in parley ask "What is 12.5% of 1840?", or pipe it in.',
      EXIT.usage,
    );
  }
  const length = Array.from(text).length;
  if (length > MAX_CONTENT_CHARACTERS) throw tooLong(`${withThousands(length)} characters`);
  return text;
}

/** Whether something is piped in: not typed, and not nothing (`/dev/null`). */
const hasInput = (): boolean =>
  !process.stdin.isTTY && attempt(() => fstatSync(0).isCharacterDevice()) === false;

async function readInput(): Promise<string> {
  const timer = setTimeout(
    () =>
      hint(
        `Reading standard input to its end, as part of the question. To leave it out: parley ask "…" <${devNull}`,
      ),
    HINT_AFTER_MS,
  );
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of process.stdin as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MOST_BYTES) throw tooLong('more');
    }
  } finally {
    clearTimeout(timer);
  }
  const { decodeText } = await import('../lib/decode-text.ts');
  const input = await decodeText(Buffer.concat(pieces));
  if (input === null) throw new CommandError('The piped input is not text.', EXIT.usage);
  return input.text;
}

const tooLong = (much: string): CommandError =>
  new CommandError(
    `A message can have at most ${withThousands(MAX_CONTENT_CHARACTERS)} characters; this one, with the piped input, has ${much}.`,
    EXIT.usage,
  );
