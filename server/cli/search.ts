/** `parley search`: finds messages and chats by words. */
import type { SearchHit, SearchResults } from '../../shared/api/search.ts';
import { connect, type ListOptions } from './client.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { shortId } from './find-chat.ts';
import {
  hint,
  isForPeople,
  localTime,
  proseColumns,
  say,
  sayJson,
  styled,
  withoutControls,
} from './terminal.ts';
import { fit, wrap } from './text-width.ts';

/** Prints what holds the words, best first. */
export async function search(
  words: readonly string[],
  options: ListOptions & { limit: number },
): Promise<void> {
  const query = words.join(' ').trim();
  if (query === '')
    throw new CommandError('There is nothing to look for. Write it after the command.', EXIT.usage);
  const client = await connect(options);
  const found = await client.get<SearchResults>('/api/v1/search', {
    query: { q: query, limit: options.limit },
  });
  if (options.json) {
    sayJson(found);
    return;
  }
  const { chats, messages, hasMore } = found;
  if (!isForPeople()) {
    const sayRow = (...cells: string[]): void =>
      say(cells.map((cell) => withoutControls(cell).replace(/\s+/gu, ' ')).join('\t'));
    for (const { id, title, updatedAt } of chats) sayRow(id, 'chat', updatedAt, title);
    for (const hit of messages) sayRow(hit.chatId, hit.role, hit.createdAt, textOf(hit));
    return;
  }
  for (const { id, title } of chats)
    say(`${styled('dim', shortId(id))}  ${fit(withoutControls(title), Math.max(10, proseColumns() - 12))}`);
  for (const hit of messages) sayHit(hit);
  if (chats.length + messages.length === 0) hint('Nothing was found.');
  if (hasMore) hint(`There are more; --limit 100 shows up to 100.`);
}

const textOf = ({ snippet }: SearchHit): string => snippet.map(({ text }) => text).join('');

function sayHit({ chatId, chatTitle, role, createdAt, snippet }: SearchHit): void {
  const who = role === 'user' ? 'You' : 'Parley';
  say();
  say(
    `${styled('dim', shortId(chatId))}  ${styled('bold', fit(withoutControls(chatTitle), Math.max(10, proseColumns() - 40)))} ${styled('dim', `· ${who} · ${localTime(createdAt)}`)}`,
  );
  const found = snippet.map(({ text, match }) => {
    const line = withoutControls(text).replace(/\s+/gu, ' ');
    return match ? styled(['bold', 'yellow'], line) : line;
  });
  for (const line of wrap(found.join(''), proseColumns() - 2)) say(`  ${line}`);
}
