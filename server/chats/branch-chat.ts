/** Branches a chat: a new chat with copies of another chat's messages up to one of them. */
import type { Chat } from '../../shared/api/chat.ts';
import { MAX_PERSON_TITLE_CHARACTERS } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { CHATS } from '../store/chat-columns.ts';
import { createChat } from '../store/chat-repository.ts';
import {
  beginLongChat,
  clearBegun,
  createImportedMessages,
  forgetBegun,
} from '../store/import-repository.ts';
import { breathe } from '../store/pieces.ts';
import type { Writer } from '../store/types.ts';
import { createCopier, findRead } from './copy-messages.ts';
import type { MessageInWorkspace } from './deps.ts';
import { requireChat } from './find-message.ts';
import type { ChatPartDeps } from './send-message.ts';

/** The last message to copy into the new chat. */
interface BranchRequest extends MessageInWorkspace {
  /** A repeat with the same key within 24 hours gets the first answer and makes no chat. */
  idempotencyKey?: string;
}

/**
 * Makes a chat of the messages up to one, which must be listed: resolves with it, at rest, once that is on disk. Rejects with AppError
 * `chat_not_found`, `message_not_found`, `idempotency_conflict`, or `chat_busy` while one of them is being written or waits.
 *
 * The new chat holds what is listed when this begins. A long chat is copied in slices, and the row of the new chat comes last, so that
 * it is there whole or not at all; what a killed process leaves is removed at the next start.
 */
export const createBrancher =
  ({ store, newId, sender, asChat }: Pick<ChatPartDeps, 'store' | 'newId' | 'sender' | 'asChat'>) =>
  async (request: BranchRequest): Promise<Chat> => {
    const { chatId, messageId } = request;
    const fingerprint = ['branch', messageId];
    const known = await sender.findOnce(request, fingerprint);
    if (known !== null) return known;
    store.requireNotFull();
    const read = await findRead(store, chatId, messageId);
    const source = store.read((reader) => requireChat(reader, request));
    const branch = { id: newId(), workspaceId: source.workspaceId };
    const nextCopies = createCopier(chatId, read, newId);
    let copies = store.read(nextCopies);
    let next = store.read(nextCopies);
    let isBegun = false;

    function storeCopies(writer: Writer): void {
      if (requireChat(writer, request).workspaceId !== branch.workspaceId) throw new AppError('chat_busy');
      createImportedMessages(writer, branch, copies);
    }

    try {
      while (next.length > 0) {
        await store.write((writer) => {
          if (!isBegun) beginLongChat(writer, 'branch', branch.id);
          storeCopies(writer);
        });
        isBegun = true;
        copies = next;
        next = store.read(nextCopies);
        await breathe();
      }
      return await sender.once(request, fingerprint, (writer, { title }, now) => {
        storeCopies(writer);
        if (isBegun) forgetBegun(writer, 'branch', branch.id);
        const chat = CHATS.complete({
          ...definedFields(source, ['projectId', 'agentType', 'model', 'parameters']),
          ...branch,
          title: branchTitle(title),
          // The title says that it is a branch; a model would give it the same title as the original.
          titleSource: 'person',
          createdAt: now,
          updatedAt: now,
        });
        createChat(writer, chat);
        return asChat(chat);
      });
    } finally {
      // Changes nothing if the branch is there. If it fails, the next start does it.
      if (isBegun) await clearBegun(store, 'branch', branch.id).catch(() => undefined);
    }
  };

const IS_BRANCH = / \(branch(?: (\d{1,6}))?\)$/;

/** "Rome" is branched as "Rome (branch)", and that as "Rome (branch 2)". */
function branchTitle(title: string): string {
  const [whole = '', times] = IS_BRANCH.exec(title) ?? [];
  const mark = whole === '' ? ' (branch)' : ` (branch ${Number(times ?? 1) + 1})`;
  const room = MAX_PERSON_TITLE_CHARACTERS - mark.length;
  return `${Array.from(title.slice(0, title.length - whole.length))
    .slice(0, room)
    .join('')
    .trimEnd()}${mark}`;
}
