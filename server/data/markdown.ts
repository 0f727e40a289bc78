/**
 * Chats as a Markdown document for reading: what the window shows. A message's text keeps its Markdown; a rule and a
 * bold line with author and time separate the messages, and an open fence is closed, so that no message swallows the
 * next.
 */
import { inFull } from '../../shared/approval-request.ts';
import { DENIED_WORDS, EXPIRED_WORDS } from '../../shared/choices.ts';
import type { Message, Step } from '../../shared/api/message.ts';
import { fenced } from '../../shared/file-block.ts';
import { replyParts } from '../../shared/reply-parts.ts';
import { isObject } from '../lib/fields.ts';
import { findChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { type ChatOut, openStoredChat } from './chat-messages.ts';
import { PIECE_ROWS, breathe, createPause } from '../store/pieces.ts';

/** One chat as a document. */
export async function* chatDocument(store: Store, chatId: string): AsyncGenerator<string> {
  const out = openStoredChat(store, chatId);
  if (out !== null) yield* chatPart(out, '#');
}

/** Many chats as one document: a table of contents, then a part for each. */
export async function* chatsDocument(
  store: Store,
  chatIds: readonly string[],
  exportedAt: string,
): AsyncGenerator<string> {
  const { length } = chatIds;
  const count = `${length.toLocaleString('en')} ${length === 1 ? 'chat' : 'chats'}, newest first.`;
  yield `# Chats\n\nExported from Parley on ${timeWords(exportedAt)}. ${length === 0 ? 'There are no chats.' : count}\n\n`;
  for (let start = 0; start < chatIds.length; start += PIECE_ROWS) {
    const ids = chatIds.slice(start, start + PIECE_ROWS);
    yield store.read((reader) =>
      ids
        .map((id, index) => {
          const chat = findChat(reader, id);
          return chat === null ? '' : `- [${oneLine(chat.title)}](#chat-${start + index + 1})\n`;
        })
        .join(''),
    );
    await breathe();
  }
  const pause = createPause();
  for (const [index, chatId] of chatIds.entries()) {
    await pause();
    const out = openStoredChat(store, chatId);
    if (out === null) continue;
    yield `\n<a id="chat-${index + 1}"></a>\n\n`;
    yield* chatPart(out, '##');
  }
}

async function* chatPart({ chat, pieces }: ChatOut, mark: string): AsyncGenerator<string> {
  const facts = [
    `Created ${timeWords(chat.createdAt)}`,
    `last changed ${timeWords(chat.updatedAt)}`,
    ...(chat.archived ? ['archived'] : []),
  ];
  yield `${mark} ${oneLine(chat.title)}\n\n*${facts.join(' · ')}*\n`;
  let isEmpty = true;
  for await (const piece of pieces()) {
    const shown = piece.filter(({ hiddenBy }) => hiddenBy === null);
    if (shown.length === 0) continue;
    isEmpty = false;
    yield shown.map(({ json }) => messageWords(JSON.parse(json) as Message)).join('');
  }
  if (isEmpty) yield '\nNothing has been said in this chat.\n';
}

/** One message: a rule, author and time, steps and text in their order, and how it ended if that isn't normal. */
export function messageWords(message: Message): string {
  const who = message.role === 'user' ? 'You' : 'Assistant';
  const facts = [`**${who}**`, timeWords(message.createdAt)];
  if (message.role === 'assistant' && message.model !== undefined) facts.push(oneLine(message.model));
  const parts = [`\n---\n\n${facts.join(' · ')}`];
  if (message.attachments !== undefined)
    parts.push(`*Files: ${message.attachments.map(({ name }) => oneLine(name)).join(', ')}*`);
  for (const { steps, text } of replyParts(message.content, message.steps)) {
    if (steps.length > 0) parts.push(listed(steps.map(stepWords)));
    if (text.trim() !== '') parts.push(closed(text.replace(/^\n+/, '')));
  }
  const end = endWords(message);
  if (end !== null) parts.push(`*${end}*`);
  return `${parts.join('\n\n')}\n`;
}

const isItem = (text: string | undefined): boolean => text?.startsWith('- ') === true;

/** List items stand close together; other blocks need an empty line around them. */
const listed = (texts: readonly string[]): string =>
  texts.reduce((all, text, index) => all + (isItem(text) && isItem(texts[index - 1]) ? '\n' : '\n\n') + text);

const UNFINISHED: Partial<Record<Step['status'], string>> = {
  running: 'running',
  awaiting_approval: 'waiting for an answer',
};

/** A step: a line, which expands to what went in and what came out if there is any. */
function stepWords(step: Step): string {
  const { tool, input, output } = step;
  const blocks = [...valueBlocks('Input', input), ...valueBlocks('Output', output)];
  const outcome = outcomeWords(step);
  if (blocks.length === 0) return `- \`${code(tool)}\`${outcome === '' ? '' : `: ${oneLine(outcome)}`}`;
  const summary = `<code>${escaped(code(tool))}</code>${outcome === '' ? '' : `: ${escaped(outcome)}`}`;
  return `<details>\n<summary>${summary}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`;
}

function outcomeWords({ status, error, inDoubt }: Step): string {
  if (status !== 'failed') return UNFINISHED[status] ?? '';
  if (error === DENIED_WORDS) return 'not allowed';
  if (error === EXPIRED_WORDS) return 'not answered in time, so not done';
  const how = inDoubt === true ? 'cut off' : 'failed';
  return error === undefined ? how : `${how}, ${error.replace(/\s+/g, ' ').trim()}`;
}

/** A value as blocks with headings: texts of several lines as they are, such as code, the rest as JSON. */
function valueBlocks(heading: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (!isObject(value)) return [block(heading, value)];
  const isLong = (each: unknown): boolean => typeof each === 'string' && each.includes('\n');
  const entries = Object.entries(value);
  const rest = Object.fromEntries(entries.filter(([, each]) => !isLong(each)));
  return [
    ...(Object.keys(rest).length === 0 ? [] : [block(heading, rest)]),
    ...entries.filter(([, each]) => isLong(each)).map(([name, each]) => block(`${heading}, ${name}`, each)),
  ];
}

const block = (heading: string, value: unknown): string =>
  `${oneLine(heading)}:\n\n${fenced(inFull(value), typeof value === 'string' ? '' : 'json')}`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function endWords({ role, status, error, stopReason, content }: Message): string | null {
  if (role === 'user') return status === 'pending' ? 'Waiting for a reply.' : null;
  if (status === 'pending' || status === 'streaming') return 'This reply is still being written.';
  if (status === 'error') return `This reply could not be made. ${oneLine(error?.message ?? '')}`.trim();
  if (stopReason === 'stopped') return content.trim() === '' ? 'Stopped before a reply.' : 'Stopped here.';
  if (stopReason === 'length') return 'Cut off: the model’s limit was reached.';
  if (stopReason === 'step_limit') return 'Cut off: the limit of steps was reached.';
  if (stopReason === 'content_filter') return 'The model declined, or a filter withheld the rest.';
  return content.trim() === '' ? 'An empty reply.' : null;
}

/** A block of code; one without an end has a rest. */
const FENCED =
  /^ {0,3}(([`~])\2{2,})(?!\2)(?:(?<=~)|(?=[^`\r\n]*$)).*$(?:[^]*?^ {0,3}\1\2*[ \t]*$|(?<rest>[^]*))/gm;

/** The text with an open code fence or comment closed, so that what follows isn't part of it. */
function closed(text: string): string {
  const last = [...text.matchAll(FENCED)].at(-1);
  if (last?.groups?.['rest'] !== undefined) return `${text.replace(/\n$/, '')}\n${last[1]}`;
  return text.lastIndexOf('<!--') > text.lastIndexOf('-->') ? `${text} -->` : text.trimEnd();
}

/** Text on one line, with Markdown's special characters escaped. */
const oneLine = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#~|]/g, '\\$&');

const code = (text: string): string => text.replace(/[`\s]+/gu, ' ');

const timeWords = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
