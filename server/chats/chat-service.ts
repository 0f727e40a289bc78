import type { Chat } from '../../shared/api/chat.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { found } from '../errors.ts';
import { createTagMaker, type SeenChat } from '../store/chat-tags.ts';
import {
  countChats,
  createChat,
  findChatIn,
  isInWorkspace,
  listChats,
  type ChatFilter,
  type StoredChat,
} from '../store/chat-repository.ts';
import {
  findMessageAsJson,
  isLongerThan,
  listMessagesAsJson,
  messagePieces,
  type MessageRange,
} from '../store/message-json.ts';
import { findMessage } from '../store/message-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import { findStepFile } from '../store/step-file-repository.ts';
import { isCancelled } from '../store/waiting-repository.ts';
import { createAdmission } from './admission.ts';
import { createBrancher } from './branch-chat.ts';
import { createContinuer } from './continue-reply.ts';
import { toChat } from '../store/chat-columns.ts';
import { createReadCache } from './read-cache.ts';
import { createSender, type ChatPartDeps, type ChatServiceDeps } from './send-message.ts';
import { emptyChat } from './empty-chat.ts';
import { requireModel, requireProject } from './check-message.ts';
import { requireChat } from './find-message.ts';
import { readName } from '../lib/clean-name.ts';
import { createVersions } from './versions.ts';
import { createWaitingMessages } from './waiting-messages.ts';
import { restorableSince } from './steady-time.ts';

/** Filter and page of a list of chats. */
interface ChatListQuery extends Omit<ChatFilter, 'deletedSince'> {
  /** List only deleted chats that can be restored. */
  deleted: boolean;
  /** From 1. */
  page: number;
  pageSize: number;
}

interface NewChatInput {
  workspaceId: string;
  agentType: string;
  /** Null or absent: none. */
  projectId?: string | null;
  model?: string | undefined;
  /** Blank or absent: none yet. */
  title?: string | undefined;
}

/** Which part of a chat's messages to read. */
export interface MessageListQuery {
  /** Only messages after this one; AppError `message_not_found` if the chat has no such message. */
  after?: string;
  /** Maximum number, counted from the oldest. Default: all. */
  limit?: number;
}

/**
 * Everything clients do with chats, without HTTP. `workspaceId` null means any workspace; a chat of another workspace counts as
 * missing. Clients only get what is on disk. Everything rejects with AppError `storage_full` or `storage_unavailable` if the
 * store refuses to write.
 */
export type ChatService = ReturnType<typeof createChatService>;

const AFTER_NOTHING =
  'The message that "after" names is not listed in this chat, or no longer; leave "after" out to read from the first.';

/** How many reads of idle chats to cache: a few MiB at most. */
const MAX_CHATS = 1_000;
const MAX_LISTS = 8;
const MAX_LIST_CHARACTERS = 256 * 1024;

/** Creates the chat service of a store and its processor. */
export function createChatService(deps: ChatServiceDeps) {
  const { store, processor, clock, newId } = deps;
  const tags = createTagMaker(store, processor);
  const admission = createAdmission(store, processor);
  const sender = createSender(deps, admission);
  const idleChats = createReadCache<{ workspaceId: string; seen: Promise<SeenChat | null> }>(
    store,
    MAX_CHATS,
  );
  const lists = createReadCache<{ workspaceId: string; json: string }>(store, MAX_LISTS);

  const asChat = (chat: StoredChat): Chat => toChat(chat, processor);

  const findStored = (chatId: string, workspaceId: string | null): StoredChat | null =>
    store.read((reader) => findChatIn(reader, chatId, workspaceId));

  /**
   * Makes an empty chat with that model; else with the agent's, or the project's or the workspace's default. The workspace must exist.
   * Rejects with AppError `invalid_request` about a project that it hasn't, an unknown model, or a title that doesn't show.
   */
  async function create({ title = '', ...input }: NewChatInput): Promise<Chat> {
    const named =
      title.trim() === '' ? {} : { title: readName(title, 'title'), titleSource: 'person' as const };
    const now = clock().toISOString();
    store.requireNotFull();
    return store.write((writer) => {
      requireProject(writer, input.workspaceId, input.projectId ?? null);
      requireModel(writer, input.model);
      const chat = { ...emptyChat(writer, { ...input, id: newId(), now }), ...named };
      createChat(writer, chat);
      return asChat(chat);
    });
  }

  /** One page of chats, newest change (or deletion) first, and how many there are in all. */
  function list({
    page,
    pageSize,
    deleted,
    ...rest
  }: ChatListQuery): Promise<{ data: Chat[]; total: number }> {
    const filter: ChatFilter = deleted
      ? { ...rest, deletedSince: store.read((reader) => restorableSince(reader, clock())) }
      : rest;
    return readSettled(store, (reader) => ({
      data: listChats(reader, filter, pageSize, (page - 1) * pageSize).map(asChat),
      total: countChats(reader, filter),
    }));
  }

  function asSeen(stored: StoredChat): SeenChat {
    const chat = asChat(stored);
    let json: string | undefined;
    return { chat, tags: tags.tagsOf(stored), json: () => (json ??= JSON.stringify({ chat })) };
  }

  /** The chat with the tags of its state, or null. */
  function findSeen(chatId: string, workspaceId: string | null): Promise<SeenChat | null> {
    const known = idleChats.find(chatId);
    if (known !== undefined) return isInWorkspace(known, workspaceId) ? known.seen : Promise.resolve(null);
    const { version } = store;
    let first: SeenChat | null = null;
    const seen = readSettled(store, (reader) => {
      const stored = findChatIn(reader, chatId, workspaceId);
      return (first = stored && asSeen(stored));
    });
    keepIdle(first, seen, version);
    return seen;
  }

  /** If many clients ask at once, the chat is read once. */
  function keepIdle(first: SeenChat | null, seen: Promise<SeenChat | null>, version: number): void {
    // The queue position of a busy chat changes without the store.
    if (first === null || isUnsettled(first.chat.status)) return;
    idleChats.keep(first.chat.id, { workspaceId: first.chat.workspaceId, seen }, version);
  }

  /**
   * The chat's messages, oldest first, as the JSON text of an array of API messages, since that is how clients get them; in pieces where it
   * is long; null when there is no such chat.
   */
  async function messagesAsJson(
    chatId: string,
    workspaceId: string | null,
    { after, limit }: MessageListQuery = {},
  ): Promise<string | AsyncIterable<string> | null> {
    const isWhole = after === undefined && limit === undefined;
    const known = isWhole ? lists.find(chatId) : undefined;
    if (known !== undefined) return isInWorkspace(known, workspaceId) ? known.json : null;
    const { version } = store;
    const list = await readSettled(store, (reader) => {
      const chat = findChatIn(reader, chatId, workspaceId);
      if (chat === null) return null;
      const range: MessageRange = limit === undefined ? {} : { limit };
      if (after !== undefined) {
        const last = found(findMessage(reader, chatId, after), 'message_not_found', AFTER_NOTHING);
        range.afterSeq = last.seq;
      }
      const isLong = isLongerThan(reader, chatId, range.afterSeq ?? 0);
      const json = isLong ? null : listMessagesAsJson(reader, chatId, range);
      return { workspaceId: chat.workspaceId, range, json };
    });
    if (list === null) return null;
    const { range, json } = list;
    if (json === null) return messagePieces(store, chatId, range)();
    if (isWhole && json.length <= MAX_LIST_CHARACTERS)
      lists.keep(chatId, { workspaceId: list.workspaceId, json }, version);
    return json;
  }

  /** Stops the chat and returns it, or null if there is none. A chat at rest stays as it is. */
  async function stop(chatId: string, workspaceId: string | null): Promise<Chat | null> {
    if (findStored(chatId, workspaceId) === null) return null;
    const chat = await processor.stop(chatId);
    return chat && asChat(chat);
  }

  const parts: ChatPartDeps = { ...deps, sender, asChat };
  return {
    ...createVersions(parts),
    ...createWaitingMessages(parts),
    create,
    list,
    find: async (chatId: string, workspaceId: string | null): Promise<Chat | null> =>
      (await findSeen(chatId, workspaceId))?.chat ?? null,
    findSeen,
    messagesAsJson,
    /** One message of the chat as the JSON text of an API message, shown or not; AppError `chat_not_found`, `message_not_found`. */
    messageAsJson: (chatId: string, workspaceId: string | null, messageId: string): Promise<string> =>
      readSettled(store, (reader) => {
        requireChat(reader, { chatId, workspaceId });
        return found(findMessageAsJson(reader, chatId, messageId), 'message_not_found');
      }),
    /** A file that a tool returned in the chat; null: no such chat or file. */
    stepFile: (chatId: string, workspaceId: string | null, fileId: string) =>
      readSettled(store, (reader) => {
        if (findChatIn(reader, chatId, workspaceId) === null) return null;
        const file = findStepFile(reader, chatId, fileId);
        return file && { name: file.name, mediaType: file.mediaType, data: Buffer.from(file.data, 'base64') };
      }),
    /**
     * Resolves when a send to the chat may go on (admission.ts). Rejects with AppError `queue_full`, unless the send `mayBeRepeat`
     * of one that was answered: `send` finds that out.
     */
    admit: (chatId: string, workspaceId: string | null, mayBeRepeat: boolean): Promise<void> =>
      admission.admit(() => (mayBeRepeat ? null : (findStored(chatId, workspaceId)?.workspaceId ?? null))),
    /** The same for a send to any chat of a workspace or to a new chat. */
    admitTo: (workspaceId: string, mayBeRepeat: boolean): Promise<void> =>
      admission.admit(() => (mayBeRepeat ? null : workspaceId)),
    /**
     * Adds a user message and queues the chat; resolves with the chat, status `pending`, once that is on disk. Rejects with AppError
     * `chat_not_found`, `queue_full` or `idempotency_conflict`.
     */
    send: sender.send,
    /** Whether the message was deleted while waiting, so it gets no reply. */
    isCancelled: (chatId: string, messageId: string): boolean =>
      store.read((reader) => isCancelled(reader, chatId, messageId)),
    continueReply: createContinuer(parts),
    branch: createBrancher(parts),
    stop,
  };
}
