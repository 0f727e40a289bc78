/** The parts of the API that every key may use: chats, their contents, and what belongs to them. */
import type { ApprovalBody } from '../../shared/api/approval.ts';
import type { Chat, ChatList, CreateChatBody, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ChatContext } from '../../shared/api/context.ts';
import type { Draft } from '../../shared/api/draft.ts';
import type { ChangeMessageBody, RetryBody, SendMessageBody } from '../../shared/api/message-requests.ts';
import type { Note } from '../../shared/api/note.ts';
import type {
  CreateProjectBody,
  DeletedProjectAnswer,
  Project,
  UpdateProjectBody,
} from '../../shared/api/project.ts';
import type { CreatePromptBody, Prompt } from '../../shared/api/prompt.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import type { Ask } from './http.ts';

/** Which chats to list. */
interface ChatListFilter {
  archived?: 'true' | 'only';
  pinned?: 'true' | 'false';
  deleted?: 'true';
  /** Those of one project; `none`: those in none. */
  projectId?: string;
}

/** The service allows itself half a minute to summarise; the answer takes a little longer. */
const SUMMARY_WAIT_MS = 45_000;

/** The parts of a prompt that people write. */
export type WrittenPrompt = Pick<CreatePromptBody, 'name' | 'text'>;

const inChat = (chatId: string) => ({ params: { path: { chatId } } });
const ofMessage = (chatId: string, messageId: string) => ({ params: { path: { chatId, messageId } } });
const once = (idempotencyKey: string) => ({ header: { 'Idempotency-Key': idempotencyKey } });

const chatOf = (answer: Promise<{ chat: Chat }>): Promise<Chat> => answer.then(({ chat }) => chat);
const projectOf = (answer: Promise<{ project: Project }>): Promise<Project> =>
  answer.then(({ project }) => project);

/** Chats, and what a person keeps for them. */
export const chatApi = (ask: Ask) => ({
  /** One page of chats, newest first; `page` counts from 1. */
  listChats: (page: number, pageSize: number, filter: ChatListFilter = {}): Promise<ChatList> => {
    const query = { page: String(page), pageSize: String(pageSize), ...filter };
    return ask((api) => api.GET('/api/v1/chats', { params: { query } }));
  },
  createChat: (body: CreateChatBody = {}): Promise<Chat> => ask((api) => api.POST('/api/v1/chats', { body })),
  findChat: (chatId: string): Promise<Chat> =>
    chatOf(ask((api) => api.GET('/api/v1/chats/{chatId}', inChat(chatId)))),
  /** Changes title, pin, archive and read marks, agent or model. */
  updateChat: (chatId: string, body: UpdateChatBody): Promise<Chat> =>
    chatOf(ask((api) => api.PATCH('/api/v1/chats/{chatId}', { ...inChat(chatId), body }))),
  /** Moves a chat to a workspace, and a project of it; null: none. */
  moveChat: (chatId: string, toWorkspaceId: string, projectId: string | null = null): Promise<Chat> => {
    const body = { toWorkspaceId, projectId };
    return chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/move', { ...inChat(chatId), body })));
  },
  /** Hides a chat; it can be restored. With `permanent` it is deleted for good. */
  deleteChat: (chatId: string, permanent = false): Promise<Chat> => {
    const params = { path: { chatId }, query: permanent ? ({ permanent: 'true' } as const) : {} };
    return chatOf(ask((api) => api.DELETE('/api/v1/chats/{chatId}', { params })));
  },
  restoreChat: (chatId: string): Promise<Chat> =>
    chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/restore', inChat(chatId)))),
  /** Stops the reply under way and all that wait in the chat. */
  stopChat: (chatId: string): Promise<Chat> =>
    chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/stop', inChat(chatId)))),
  /** How full the chat's context is. */
  findContext: (chatId: string): Promise<ChatContext> =>
    ask((api) => api.GET('/api/v1/chats/{chatId}/context', inChat(chatId))).then(({ context }) => context),
  /** Summarises the chat's older messages for the model; it may take half a minute. */
  compactChat: (chatId: string): Promise<ChatContext> =>
    ask((api) => api.POST('/api/v1/chats/{chatId}/compact', inChat(chatId)), SUMMARY_WAIT_MS).then(
      ({ context }) => context,
    ),
  /** Searches the workspace's messages and titles. */
  search: (q: string, limit?: number): Promise<SearchResults> => {
    const query = { q, ...(limit !== undefined && { limit: String(limit) }) };
    return ask((api) => api.GET('/api/v1/search', { params: { query } }));
  },
  listDrafts: (): Promise<Draft[]> => ask((api) => api.GET('/api/v1/drafts')).then(({ drafts }) => drafts),
  /** Saves a draft; resolves with the newest one. */
  putDraft: (chatKey: string, text: string, updatedAt: string): Promise<Draft> => {
    const params = { path: { chatKey } };
    return ask((api) => api.PUT('/api/v1/drafts/{chatKey}', { params, body: { text, updatedAt } })).then(
      ({ draft }) => draft,
    );
  },
  /** In their order. */
  listProjects: (): Promise<Project[]> =>
    ask((api) => api.GET('/api/v1/projects')).then(({ projects }) => projects),
  createProject: (body: CreateProjectBody): Promise<Project> =>
    projectOf(ask((api) => api.POST('/api/v1/projects', { body }))),
  updateProject: (projectId: string, body: UpdateProjectBody): Promise<Project> =>
    projectOf(
      ask((api) => api.PATCH('/api/v1/projects/{projectId}', { params: { path: { projectId } }, body })),
    ),
  /** Keeps its chats, or deletes them as well: that may take a while. */
  deleteProject: (projectId: string, chats: 'keep' | 'delete'): Promise<DeletedProjectAnswer> => {
    const params = { path: { projectId }, query: { chats } };
    return ask((api) => api.DELETE('/api/v1/projects/{projectId}', { params }));
  },
  /** By name. */
  listPrompts: (): Promise<Prompt[]> =>
    ask((api) => api.GET('/api/v1/prompts')).then(({ prompts }) => prompts),
  createPrompt: (prompt: WrittenPrompt): Promise<Prompt> =>
    ask((api) => api.POST('/api/v1/prompts', { body: prompt })).then(({ prompt: made }) => made),
  updatePrompt: (promptId: string, prompt: WrittenPrompt): Promise<Prompt> =>
    ask((api) =>
      api.PATCH('/api/v1/prompts/{promptId}', { params: { path: { promptId } }, body: prompt }),
    ).then(({ prompt: changed }) => changed),
  /** It can't be restored. */
  deletePrompt: (promptId: string): Promise<Prompt> =>
    ask((api) => api.DELETE('/api/v1/prompts/{promptId}', { params: { path: { promptId } } })).then(
      ({ prompt }) => prompt,
    ),
  /** Newest first. */
  listNotes: (): Promise<Note[]> => ask((api) => api.GET('/api/v1/notes')).then(({ notes }) => notes),
  /** If the text is remembered already, resolves with that note. */
  addNote: (text: string): Promise<Note> =>
    ask((api) => api.POST('/api/v1/notes', { body: { text } })).then(({ note }) => note),
  changeNote: (noteId: string, text: string): Promise<Note> =>
    ask((api) => api.PATCH('/api/v1/notes/{noteId}', { params: { path: { noteId } }, body: { text } })).then(
      ({ note }) => note,
    ),
  /** It can't be restored. */
  removeNote: (noteId: string): Promise<Note> =>
    ask((api) => api.DELETE('/api/v1/notes/{noteId}', { params: { path: { noteId } } })).then(
      ({ note }) => note,
    ),
});

/** Messages of a chat. */
export const messageApi = (ask: Ask) => ({
  /** Sends a message. Repeating it with the same idempotency key never sends it twice. */
  sendMessage: (chatId: string, body: SendMessageBody, key: string): Promise<Chat> => {
    const params = { path: { chatId }, ...once(key) };
    return chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/messages', { params, body })));
  },
  /** Sends a new version of a user message in its place. */
  editMessage: (chatId: string, messageId: string, body: SendMessageBody, key: string): Promise<Chat> => {
    const params = { path: { chatId, messageId }, ...once(key) };
    return chatOf(
      ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/edit', { params, body })),
    );
  },
  /** Generates a reply again; the chat's last when no message is named. */
  retryReply: (chatId: string, body: RetryBody, key: string): Promise<Chat> => {
    const params = { path: { chatId }, ...once(key) };
    return chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/retry', { params, body })));
  },
  /** Continues a reply that was cut off. Repeating it with the same key continues it only once. */
  continueReply: (chatId: string, messageId: string, key: string): Promise<Chat> => {
    const params = { path: { chatId, messageId }, ...once(key) };
    return chatOf(
      ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/continue', { params, body: {} })),
    );
  },
  /** Creates a chat from the messages up to this one. Repeating it with the same key creates no second one. */
  branchChat: (chatId: string, messageId: string, key: string): Promise<Chat> => {
    const params = { path: { chatId, messageId }, ...once(key) };
    return chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/branch', { params })));
  },
  /** Switches to the version that a message belongs to. */
  showMessage: (chatId: string, id: string): Promise<Chat> =>
    chatOf(ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/show', ofMessage(chatId, id)))),
  /** Deletes a message; with `ifWaiting` only one that no worker has taken. */
  deleteMessage: (chatId: string, messageId: string, ifWaiting = false): Promise<Chat> => {
    const query = ifWaiting ? ({ ifWaiting: 'true' } as const) : {};
    const params = { path: { chatId, messageId }, query };
    return chatOf(ask((api) => api.DELETE('/api/v1/chats/{chatId}/messages/{messageId}', { params })));
  },
  /** Changes a message that waits. Repeating it with the same key is harmless. */
  changeMessage: (chatId: string, messageId: string, body: ChangeMessageBody, key: string): Promise<Chat> => {
    const params = { path: { chatId, messageId }, ...once(key) };
    return chatOf(ask((api) => api.PATCH('/api/v1/chats/{chatId}/messages/{messageId}', { params, body })));
  },
  /** Moves a waiting message before another, or to the end. */
  moveMessage: (chatId: string, id: string, before: string | null): Promise<Chat> =>
    chatOf(
      ask((api) =>
        api.POST('/api/v1/chats/{chatId}/messages/{messageId}/move', {
          ...ofMessage(chatId, id),
          body: { before },
        }),
      ),
    ),
  /** Stops the reply under way and has a waiting message answered next. */
  sendMessageNow: (chatId: string, id: string): Promise<Chat> =>
    chatOf(
      ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/send-now', ofMessage(chatId, id))),
    ),
  restoreMessage: (chatId: string, id: string): Promise<Chat> =>
    chatOf(
      ask((api) => api.POST('/api/v1/chats/{chatId}/messages/{messageId}/restore', ofMessage(chatId, id))),
    ),
  /** Answers a step of the chat that asks. Repeating the same answer changes nothing. */
  answerApproval: (chatId: string, approvalId: string, body: ApprovalBody): Promise<Chat> => {
    const params = { path: { chatId, approvalId } };
    return ask((api) => api.POST('/api/v1/chats/{chatId}/approvals/{approvalId}', { params, body })).then(
      ({ chat }) => chat,
    );
  },
});
