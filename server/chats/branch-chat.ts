/** Branches a chat: a new chat with copies of another chat's messages up to one of them. */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { isUnfinished } from '../../shared/choices.ts';
import type { Step, Usage } from '../../shared/api/message.ts';
import { MAX_PERSON_TITLE_CHARACTERS } from '../../shared/limits.ts';
import { AppError, found } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { CHATS } from '../store/chat-columns.ts';
import { createChat } from '../store/chat-repository.ts';
import {
  createImportedMessages,
  type ImportedAttachment,
  type ImportedFile,
  type ImportedMessage,
} from '../store/import-repository.ts';
import { findFile } from '../store/file-repository.ts';
import { findMessage, listMessages, type StoredMessage } from '../store/message-repository.ts';
import { findStepFile } from '../store/step-file-repository.ts';
import type { Reader } from '../store/types.ts';
import type { MessageTarget } from './deps.ts';
import type { ChatPartDeps } from './send-message.ts';

/** The last message to copy into the new chat. */
export interface BranchRequest extends MessageTarget {
  /** A repeat with the same key within 24 hours gets the first answer and makes no chat. */
  idempotencyKey?: string;
}

/**
 * Makes a chat of the messages up to one, which must be listed: resolves with it, at rest, once that is on disk. Rejects with AppError
 * `chat_not_found`, `message_not_found`, `idempotency_conflict`, or `chat_busy` while one of them is being written or waits.
 */
export const createBrancher =
  ({ newId, sender, asChat }: Pick<ChatPartDeps, 'newId' | 'sender' | 'asChat'>) =>
  (request: BranchRequest): Promise<Chat> =>
    sender.once(request, ['branch', request.messageId], (writer, source, now) => {
      const last = found(findMessage(writer, source.id, request.messageId), 'message_not_found');
      const messages = upTo(last, listMessages(writer, source.id));
      if (messages.some(({ status }) => isUnfinished(status))) throw new AppError('chat_busy');
      const chat = CHATS.complete({
        ...definedFields(source, ['workspaceId', 'projectId', 'agentType', 'model', 'parameters']),
        id: newId(),
        title: branchTitle(source.title),
        // The title says that it is a branch; a model would give it the same title as the original.
        titleSource: 'person',
        createdAt: now,
        updatedAt: now,
      });
      createChat(writer, chat);
      createImportedMessages(writer, chat, copiesOf(writer, messages, newId));
      return asChat(chat);
    });

/**
 * What a reader of that message has read: the user messages up to it, or to the one it answers, with their replies. Of messages
 * that were sent in a row, the reply to the first is younger than the second, which it knows nothing of.
 */
function upTo(last: StoredMessage, messages: readonly StoredMessage[]): StoredMessage[] {
  const question = messages.find(({ id }) => id === last.replyTo) ?? last;
  const asked = new Map(messages.filter(({ role }) => role === 'user').map((each) => [each.id, each]));
  return messages.filter((message) => {
    if (message.id === last.id) return true;
    const answered = message.replyTo === null ? undefined : asked.get(message.replyTo);
    if (answered === undefined) return message.seq <= question.seq;
    return answered.seq < question.seq;
  });
}

/** The same messages with new ids. Summaries are not copied: the model reads the messages in full again. */
function copiesOf(
  reader: Reader,
  messages: readonly StoredMessage[],
  newId: () => string,
): ImportedMessage[] {
  const ids = new Map(messages.map(({ id }) => [id, newId()]));
  const renamed = (id: string): string => ids.get(id) ?? id;
  return messages.map(({ seq: _, chatId, workspaceId: __, ...message }) => {
    const { steps, files } = copySteps(reader, chatId, message.steps, newId);
    return {
      ...message,
      id: renamed(message.id),
      status: message.status === 'compacted' ? 'complete' : message.status,
      replyTo: message.replyTo && renamed(message.replyTo),
      usage: message.usage && lastingUsage(message.usage),
      steps,
      files,
      attachments: copyAttachments(reader, message.attachments ?? [], newId),
      versionOf: null,
      retryOf: null,
      hiddenBy: null,
    };
  });
}

/** How full the context was goes with the summaries. */
const lastingUsage = (usage: Usage): Usage => definedFields(usage, ['inputTokens', 'outputTokens', 'model']);

/** New files with the same bytes. */
const copyAttachments = (
  reader: Reader,
  attachments: readonly Attachment[],
  newId: () => string,
): ImportedAttachment[] =>
  attachments.flatMap(({ id }) => {
    const file = findFile(reader, id);
    return file === null ? [] : [{ ...file, id: newId() }];
  });

/** Steps with their own files, which outlive the other chat. */
function copySteps(
  reader: Reader,
  chatId: string,
  steps: readonly Step[],
  newId: () => string,
): { steps: Step[]; files: ImportedFile[] } {
  const files: ImportedFile[] = [];
  const copied = steps.map((step): Step => {
    if (step.files === undefined) return step;
    const kept = step.files.flatMap(({ id }, position): ImportedFile[] => {
      const file = findStepFile(reader, chatId, id);
      return file === null ? [] : [{ ...file, id: newId(), position }];
    });
    files.push(...kept);
    return { ...step, files: kept.map(({ id, name, mediaType, bytes }) => ({ id, name, mediaType, bytes })) };
  });
  return { steps: copied, files };
}

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
