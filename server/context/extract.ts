/**
 * Summaries without a model: of each message what it says first and its most telling sentences, word for word. Loads what
 * the platform knows of scripts, so it is imported when it is needed.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { pickSentences } from '../tools/text-summary.ts';
import { sentencesOf } from '../tools/text-units.ts';
import type { Exchange } from './course.ts';

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
 * A summary of the exchanges in at most so many characters, after an earlier one, of which the most is kept. Rejects when
 * the signal fires.
 */
export async function extractSummary(
  earlier: string | null,
  exchanges: readonly Exchange[],
  maxCharacters: number,
  signal: AbortSignal,
): Promise<string> {
  const texts = exchanges.flatMap(({ question, reply }) => [
    [ASKED, question.content] as const,
    ...(reply === null || reply.content === '' ? [] : [[ANSWERED, reply.content] as const]),
  ]);
  const before = earlier === null ? [] : earlier.split('\n').filter((line) => line.trim() !== '');
  const lines = before.length + texts.length;
  const each = Math.min(MAX_CHARACTERS, Math.max(MIN_CHARACTERS, Math.floor(maxCharacters / lines)));
  const told: string[] = [];
  for (const line of before) told.push(excerpt(line, Math.max(each, MIN_CHARACTERS * 2)));
  for (const [who, text] of texts) {
    told.push(who + excerpt(text, each - who.length));
    await breathe();
    signal.throwIfAborted();
  }
  while (told.length > 1 && told.join('\n').length > maxCharacters) told.shift();
  return told.join('\n').slice(0, maxCharacters);
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
