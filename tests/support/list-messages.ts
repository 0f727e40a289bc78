import { listMarks } from '../../server/store/branch-repository.ts';
import { listMessagesAfter, type StoredMessage } from '../../server/store/message-repository.ts';
import type { Reader } from '../../server/store/types.ts';

const ALL = Number.MAX_SAFE_INTEGER;

/** A chat's listed messages, oldest first. */
export function listMessages(reader: Reader, chatId: string): StoredMessage[] {
  const listed = new Set(listMarks(reader, chatId, 0, ALL).map(({ id }) => id));
  return listMessagesAfter(reader, undefined, chatId, 0).filter(({ id }) => listed.has(id));
}
