/**
 * Chats as JSON, one line for the chat and one for each message. Backups are read back line by line (backup-reader.ts);
 * for everybody else the lines are plain JSON.
 */
import { toChat } from '../chats/api-objects.ts';
import type { Store } from '../store/types.ts';
import { type MessageOut, openChat } from './chat-messages.ts';

/** How much was written. */
export interface Written {
  chats: number;
  messages: number;
}

/** The chats of those ids, as the members of a JSON array; those that are gone by then are left out. `written` counts them. */
export async function* chatLines(
  store: Store,
  chatIds: Iterable<string>,
  written: Written = { chats: 0, messages: 0 },
): AsyncGenerator<string> {
  let between = '\n';
  for (const chatId of chatIds) {
    const out = openChat(store, chatId);
    if (out === null) continue;
    const chat = toChat(out.chat, { queuePosition: () => 0, isAsking: () => false });
    // What is under way here is under way nowhere else.
    delete chat.queuePosition;
    delete chat.lastProgressAt;
    const head = JSON.stringify({ chat, titleSource: out.chat.titleSource });
    yield `${between}${head.slice(0, -1)},"messages":[`;
    between = ',\n';
    written.chats += 1;
    let isFirst = true;
    for await (const piece of out.pieces()) {
      if (piece.length === 0) continue;
      yield `${isFirst ? '' : ','}\n${piece.map(withLinks).join(',\n')}`;
      isFirst = false;
      written.messages += piece.length;
    }
    yield '\n]}';
  }
  yield '\n';
}

/** Ids need no escaping: the service makes them, and an import takes no others. */
function withLinks({ json, versionOf, hiddenBy }: MessageOut): string {
  if (versionOf === null && hiddenBy === null) return json;
  const version = versionOf === null ? '' : `,"versionOf":"${versionOf}"`;
  const hidden = hiddenBy === null ? '' : `,"hiddenBy":"${hiddenBy}"`;
  return `${json.slice(0, -1)}${version}${hidden}}`;
}
