/** Copies of a chat's messages for another chat, in slices: a long chat takes seconds. */
import type { Attachment } from '../../shared/api/attachment.ts';
import { isUnfinished } from '../../shared/choices.ts';
import type { Step, Usage } from '../../shared/api/message.ts';
import { AppError, found } from '../errors.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { listMarks, type BranchMark } from '../store/branch-repository.ts';
import { findChat } from '../store/chat-repository.ts';
import { findFile } from '../store/file-repository.ts';
import type { ImportedAttachment, ImportedFile, ImportedMessage } from '../store/import-repository.ts';
import { findMessage, listMessagesAfter, type StoredMessage } from '../store/message-repository.ts';
import { PIECE, readInSlices } from '../store/pieces.ts';
import { findStepFile } from '../store/step-file-repository.ts';
import type { Reader, RowLimit, Store } from '../store/types.ts';

const MARKS_AT_ONCE = 500;
/** How much is copied in one go. */
const COPIED_AT_ONCE: RowLimit = { ...PIECE, rows: 40 };

/** Where a message is. */
type Position = Pick<StoredMessage, 'id' | 'seq'>;

/**
 * The messages that a reader of `messageId` has read, oldest first. AppError `message_not_found`, or `chat_busy` while one of
 * them waits or is being written.
 */
export async function findRead(
  store: Pick<Store, 'read'>,
  chatId: string,
  messageId: string,
): Promise<Position[]> {
  for (;;) {
    const before = store.read((reader) => findChat(reader, chatId));
    const read = await readInSlices(store, (reader) => upTo(reader, chatId, messageId));
    const after = store.read((reader) => findChat(reader, chatId));
    if (found(after, 'chat_not_found').structure === before?.structure) return read;
  }
}

/**
 * The user messages up to that one, or to the one it answers, with their replies. Of messages that were sent in a row, the reply to the
 * first is younger than the second, which it knows nothing of.
 */
function* upTo(reader: Reader, chatId: string, messageId: string): Generator<void, Position[]> {
  const last = found(findMessage(reader, chatId, messageId), 'message_not_found');
  const question = (last.replyTo === null ? null : findMessage(reader, chatId, last.replyTo)) ?? last;
  const questions = new Map<string, number>();
  const read: Position[] = [];
  let marks: BranchMark[];
  let afterSeq = 0;
  do {
    marks = listMarks(reader, chatId, afterSeq, MARKS_AT_ONCE);
    for (const { seq, id, role, replyTo, status } of marks) {
      if (role === 'user') questions.set(id, seq);
      const answered = replyTo === null ? undefined : questions.get(replyTo);
      const isRead = answered === undefined ? seq <= question.seq : answered < question.seq;
      if (!isRead && id !== last.id) continue;
      if (isUnfinished(status)) throw new AppError('chat_busy');
      read.push({ id, seq });
    }
    afterSeq = marks.at(-1)?.seq ?? 0;
    yield;
  } while (marks.length === MARKS_AT_ONCE);
  return read;
}

/** A function that gives the next copies with new ids, a few milliseconds' work at a time; none: all were given. */
export function createCopier(
  chatId: string,
  read: readonly Position[],
  newId: () => string,
): (reader: Reader) => ImportedMessage[] {
  const wanted = new Set(read.map(({ id }) => id));
  const ids = new Map<string, string>();
  const copyOf = (id: string): string => {
    if (!wanted.has(id)) return id;
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };
  let at = 0;
  return (reader) => {
    // Between them, and after the last, there may be thousands of others.
    for (let first = read[at]; first !== undefined; first = read[at]) {
      const messages = listMessagesAfter(reader, COPIED_AT_ONCE, chatId, first.seq - 1);
      if (messages.length === 0) return [];
      // Files of steps may be large: a message that has some comes alone.
      const filed = messages.findIndex(hasStepFiles);
      const piece = messages.slice(0, filed === -1 ? messages.length : Math.max(1, filed));
      const end = piece.at(-1)?.seq ?? 0;
      while (at < read.length && (read[at]?.seq ?? 0) <= end) at += 1;
      const rows = piece.filter(({ id }) => wanted.has(id));
      if (rows.length > 0) return rows.map((message) => copyMessage(reader, message, copyOf, newId));
    }
    return [];
  };
}

const hasStepFiles = ({ steps }: StoredMessage): boolean => steps.some(({ files = [] }) => files.length > 0);

/** Summaries are not copied: the model reads the messages in full again. */
function copyMessage(
  reader: Reader,
  { seq: _, chatId, workspaceId: __, ...message }: StoredMessage,
  copyOf: (id: string) => string,
  newId: () => string,
): ImportedMessage {
  const { steps, files } = copySteps(reader, chatId, message.steps, newId);
  return {
    ...message,
    id: copyOf(message.id),
    status: message.status === 'compacted' ? 'complete' : message.status,
    replyTo: message.replyTo && copyOf(message.replyTo),
    usage: message.usage && lastingUsage(message.usage),
    steps,
    files,
    attachments: copyAttachments(reader, message.attachments ?? [], newId),
    versionOf: null,
    retryOf: null,
    hiddenBy: null,
  };
}

/** How full the context was goes with the summaries. */
const lastingUsage = (usage: Usage): Usage =>
  definedFields(usage, ['inputTokens', 'outputTokens', 'model', 'leftOut']);

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
