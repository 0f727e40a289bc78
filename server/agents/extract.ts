/**
 * Summaries without a model: of each message what it says first and its most telling sentences, word for word. Loads what
 * the platform knows of scripts, so it is imported when it is needed.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { pickSentences } from '../tools/text-summary.ts';
import { sentencesOf } from '../tools/text-units.ts';
import type { HistoryExchange } from './branch.ts';

/** Of a longer message only the beginning and the end are looked at, each half as long. */
const MAX_SCANNED = 6_000;
/** What is left of a message at least; where not even that fits, the oldest ones go. */
const MIN_CHARACTERS = 80;
const MAX_CHARACTERS = 600;
const SENTENCES = 12;

/** Who speaks, at the beginning of a line of a summary. */
const ASKED = '- The person: ';
const ANSWERED = '- The assistant: ';

/**
 * A summary of the exchanges in at most so many characters, after an earlier one, which stands for more than they do: it is
 * kept as it is as far as half of the room goes, and what the exchanges leave. Rejects when the signal fires.
 */
export async function extractSummary(
  earlier: string | null,
  exchanges: readonly HistoryExchange[],
  maxCharacters: number,
  signal: AbortSignal,
): Promise<string> {
  const texts = exchanges.flatMap(({ question, reply }) => [
    [ASKED, question.content] as const,
    ...(reply === null || reply.content === '' ? [] : [[ANSWERED, reply.content] as const]),
  ]);
  const wanted = texts.reduce(
    (sum, [who, text]) => sum + Math.min(MAX_CHARACTERS, who.length + text.length) + 1,
    0,
  );
  const share = Math.floor(Math.max(maxCharacters / 2, maxCharacters - wanted));
  const before = newest(
    linesOf(earlier ?? '').map((line) => (line.length <= share ? line : excerpt(line, share))),
    share,
  );
  const room = maxCharacters - before.join('\n').length - 1;
  const each = Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, Math.floor(room / texts.length)));
  const excerpts: string[] = [];
  for (const [who, text] of texts) {
    excerpts.push(who + excerpt(text, each - who.length));
    await breathe();
    signal.throwIfAborted();
  }
  return [...before, ...newest(excerpts, room)].join('\n').slice(0, maxCharacters);
}

/** A summary's lines; of one that is long, as models write them, the sentences. */
const linesOf = (summary: string): string[] =>
  summary
    .split('\n')
    .flatMap((line) => (line.length <= MAX_CHARACTERS ? [line] : sentencesOf(line).map(oneLine)))
    .filter((line) => line.trim() !== '');

/** The last lines that fit into so many characters together. */
function newest(lines: readonly string[], maxCharacters: number): string[] {
  let size = 0;
  const first = lines.findLastIndex((line) => (size += line.length + 1) > maxCharacters + 1);
  return lines.slice(first + 1);
}

/** What a text says, in one line of at most so many characters. */
export function excerpt(text: string, maxCharacters: number): string {
  const half = MAX_SCANNED / 2;
  const scanned = text.length <= MAX_SCANNED ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  const plain = oneLine(scanned);
  if (plain.length <= maxCharacters) return plain;
  const sentences = sentencesOf(scanned).map(oneLine);
  const [first = ''] = sentences;
  for (let count = Math.min(SENTENCES, sentences.length); count > 0; count -= 1) {
    const picked = pickSentences(sentences, count);
    const line = (picked.includes(first) ? picked : [first, ...picked]).join(' ');
    if (line.length <= maxCharacters) return line;
  }
  return `${plain.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
