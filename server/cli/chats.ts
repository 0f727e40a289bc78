/** `parley chats`: lists chats. */
import type { Chat } from '../../shared/api/chat.ts';
import { count } from '../../shared/numbers.ts';
import { connect, type ListOptions } from './client.ts';
import { listPages, shortId } from './find-chat.ts';
import { sayTable, timeColumn } from './table.ts';
import { hint, sayJson } from './terminal.ts';

/** Options of the command. */
export interface ChatsOptions extends ListOptions {
  limit: number;
  agent?: string;
  archived?: true;
  pinned?: true;
  deleted?: true;
}

/** Lists the chats that changed last. */
export async function chats(options: ChatsOptions): Promise<void> {
  const client = await connect(options);
  const { limit, agent, archived, pinned, deleted } = options;
  const query = {
    agentType: agent,
    archived: archived && 'true',
    pinned: pinned && 'true',
    deleted: deleted && 'true',
  };
  const data: Chat[] = [];
  let total = 0;
  for await (const page of listPages(client, query, Math.min(limit, 100))) {
    total = page.total;
    data.push(...page.data);
    if (data.length >= limit) break;
  }
  const listed = data.slice(0, limit);
  if (options.json) sayJson({ data: listed, total });
  else if (total === 0) hint('There are no such chats. Start one with: parley ask "…"');
  else {
    sayTable(listed, [
      { heading: 'ID', value: ({ id }) => id, shown: ({ id }) => shortId(id) },
      timeColumn('CHANGED', ({ updatedAt }) => updatedAt),
      { heading: 'STATUS', value: statusOf },
      { heading: 'TITLE', value: ({ title }) => title, isFlexible: true },
    ]);
  }
  if (!options.json && listed.length < total && process.stderr.isTTY)
    hint(`${listed.length} of ${count(total, 'chat')}; --limit ${total} lists all.`);
}

/** A chat's status, in a word. */
export const statusOf = ({ status, awaitingApproval }: Chat): string => (awaitingApproval ? 'asks' : status);
