/** The parts of the API that every key may use: chats, their contents, and what belongs to them. */
import type { ApprovalBody } from '../../shared/api/approval.ts';
import type { CreateChatBody, UpdateChatBody } from '../../shared/api/chat.ts';
import type { ChangeMessageBody, RetryBody, SendMessageBody } from '../../shared/api/message-requests.ts';
import type { CreateProjectBody, UpdateProjectBody } from '../../shared/api/project.ts';
import type { CreatePromptBody } from '../../shared/api/prompt.ts';
import type { CreateScheduleBody, UpdateScheduleBody } from '../../shared/api/schedule.ts';
import { only, type ApiCall } from './http.ts';

interface ChatListFilter {
  archived?: 'true' | 'only';
  pinned?: 'true' | 'false';
  deleted?: 'true';
  /** Those of one project; `none`: those in none. */
  projectId?: string;
}

/** The service allows itself half a minute to summarise; the answer takes a little longer. */
const SUMMARY = { timeoutMs: 45_000 };

/** The parts of a prompt that people write. */
export type WrittenPrompt = Pick<CreatePromptBody, 'name' | 'text'>;

const MESSAGE = '/chats/{chatId}/messages/{messageId}';
const once = (idempotencyKey: string) => ({ header: { 'Idempotency-Key': idempotencyKey } });
const SCHEDULE = '/schedules/{scheduleId}';

/** Chats, and what a person keeps for them. */
export const chatApi = (call: ApiCall) => ({
  /** One page of chats, newest first; `page` counts from 1. */
  listChats: (page: number, pageSize: number, filter: ChatListFilter = {}) =>
    call('get', '/chats', { query: { page: String(page), pageSize: String(pageSize), ...filter } }),
  createChat: (body: CreateChatBody = {}) => call('post', '/chats', { body }),
  findChat: (chatId: string) => call('get', '/chats/{chatId}', { path: { chatId } }).then(only('chat')),
  /** Changes title, pin, archive and read marks, agent or model. */
  updateChat: (chatId: string, body: UpdateChatBody) =>
    call('patch', '/chats/{chatId}', { path: { chatId }, body }).then(only('chat')),
  /** Moves a chat to a workspace, and a project of it; null: none. */
  moveChat: (chatId: string, toWorkspaceId: string, projectId: string | null = null) =>
    call('post', '/chats/{chatId}/move', { path: { chatId }, body: { toWorkspaceId, projectId } }).then(
      only('chat'),
    ),
  /** Hides a chat; it can be restored. With `permanent` it is deleted for good. */
  deleteChat: (chatId: string, permanent = false) => {
    const query = permanent ? ({ permanent: 'true' } as const) : {};
    return call('delete', '/chats/{chatId}', { path: { chatId }, query }).then(only('chat'));
  },
  eraseDeletedChats: () => call('delete', '/deleted-chats'),
  restoreChat: (chatId: string) =>
    call('post', '/chats/{chatId}/restore', { path: { chatId } }).then(only('chat')),
  /** Stops the reply under way and all that wait in the chat. */
  stopChat: (chatId: string) => call('post', '/chats/{chatId}/stop', { path: { chatId } }).then(only('chat')),
  findContext: (chatId: string) =>
    call('get', '/chats/{chatId}/context', { path: { chatId } }).then(only('context')),
  /** Summarises the chat's older messages for the model; it may take half a minute. */
  compactChat: (chatId: string) =>
    call('post', '/chats/{chatId}/compact', { path: { chatId }, ...SUMMARY }).then(only('context')),
  search: (q: string, limit?: number) =>
    call('get', '/search', { query: { q, ...(limit !== undefined && { limit: String(limit) }) } }),
  listDrafts: () => call('get', '/drafts').then(only('drafts')),
  /** Saves a draft; resolves with the newest one. */
  putDraft: (chatKey: string, text: string, updatedAt: string) =>
    call('put', '/drafts/{chatKey}', { path: { chatKey }, body: { text, updatedAt } }).then(only('draft')),
  /** In their order. */
  listProjects: () => call('get', '/projects').then(only('projects')),
  createProject: (body: CreateProjectBody) => call('post', '/projects', { body }).then(only('project')),
  updateProject: (projectId: string, body: UpdateProjectBody) =>
    call('patch', '/projects/{projectId}', { path: { projectId }, body }).then(only('project')),
  /** Keeps its chats, or deletes them as well: that may take a while. */
  deleteProject: (projectId: string, chats: 'keep' | 'delete') =>
    call('delete', '/projects/{projectId}', { path: { projectId }, query: { chats } }),
  /** Those to come, the next one first; then those that are over. */
  listSchedules: () => call('get', '/schedules').then(only('schedules')),
  createSchedule: (body: CreateScheduleBody) => call('post', '/schedules', { body }).then(only('schedule')),
  updateSchedule: (scheduleId: string, body: UpdateScheduleBody) =>
    call('patch', SCHEDULE, { path: { scheduleId }, body }).then(only('schedule')),
  /** Its latest runs, newest first. */
  listRuns: (scheduleId: string) => call('get', SCHEDULE, { path: { scheduleId } }).then(only('runs')),
  runSchedule: (scheduleId: string) =>
    call('post', `${SCHEDULE}/run`, { path: { scheduleId } }).then(only('schedule')),
  deleteSchedule: (scheduleId: string) => call('delete', SCHEDULE, { path: { scheduleId } }),
  /** The next times that these words mean, in the computer's time zone if no other is given; or why they can't be read. */
  readTimes: (when: string, timeZone?: string) =>
    call('get', '/schedules/times', { query: { when, ...(timeZone !== undefined && { timeZone }) } }),
  listAskingTools: () => call('get', '/schedules/tools').then(only('tools')),
  /** By name. */
  listPrompts: () => call('get', '/prompts').then(only('prompts')),
  createPrompt: (body: WrittenPrompt) => call('post', '/prompts', { body }).then(only('prompt')),
  updatePrompt: (promptId: string, body: WrittenPrompt) =>
    call('patch', '/prompts/{promptId}', { path: { promptId }, body }).then(only('prompt')),
  /** It can't be restored. */
  deletePrompt: (promptId: string) => call('delete', '/prompts/{promptId}', { path: { promptId } }),
  /** Newest first. */
  listNotes: () => call('get', '/notes').then(only('notes')),
  /** If the text is remembered already, resolves with that note. */
  addNote: (text: string) => call('post', '/notes', { body: { text } }).then(only('note')),
  changeNote: (noteId: string, text: string) =>
    call('patch', '/notes/{noteId}', { path: { noteId }, body: { text } }).then(only('note')),
  /** It can't be restored. */
  removeNote: (noteId: string) => call('delete', '/notes/{noteId}', { path: { noteId } }),
});

/** Messages of a chat. Repeating a request with the same idempotency key has no further effect. */
export const messageApi = (call: ApiCall) => ({
  sendMessage: (chatId: string, body: SendMessageBody, key: string) =>
    call('post', '/chats/{chatId}/messages', { path: { chatId }, ...once(key), body }).then(only('chat')),
  /** Sends a new version of a user message in its place. */
  editMessage: (chatId: string, messageId: string, body: SendMessageBody, key: string) =>
    call('post', `${MESSAGE}/edit`, { path: { chatId, messageId }, ...once(key), body }).then(only('chat')),
  /** Generates a reply again; the chat's last when no message is named. */
  retryReply: (chatId: string, body: RetryBody, key: string) =>
    call('post', '/chats/{chatId}/retry', { path: { chatId }, ...once(key), body }).then(only('chat')),
  continueReply: (chatId: string, messageId: string, key: string) =>
    call('post', `${MESSAGE}/continue`, { path: { chatId, messageId }, ...once(key), body: {} }).then(
      only('chat'),
    ),
  branchChat: (chatId: string, messageId: string, key: string) =>
    call('post', `${MESSAGE}/branch`, { path: { chatId, messageId }, ...once(key) }).then(only('chat')),
  /** Switches to the version that a message belongs to. */
  showMessage: (chatId: string, messageId: string) =>
    call('post', `${MESSAGE}/show`, { path: { chatId, messageId } }).then(only('chat')),
  /** Deletes a message; with `ifWaiting` only one that no worker has taken. */
  deleteMessage: (chatId: string, messageId: string, ifWaiting = false) =>
    call('delete', MESSAGE, {
      path: { chatId, messageId },
      query: ifWaiting ? ({ ifWaiting: 'true' } as const) : {},
    }).then(only('chat')),
  changeMessage: (chatId: string, messageId: string, body: ChangeMessageBody, key: string) =>
    call('patch', MESSAGE, { path: { chatId, messageId }, ...once(key), body }).then(only('chat')),
  /** Moves a waiting message before another, or to the end. */
  moveMessage: (chatId: string, messageId: string, before: string | null) =>
    call('post', `${MESSAGE}/move`, { path: { chatId, messageId }, body: { before } }).then(only('chat')),
  /** Stops the reply under way and has a waiting message answered next. */
  sendMessageNow: (chatId: string, messageId: string) =>
    call('post', `${MESSAGE}/send-now`, { path: { chatId, messageId } }).then(only('chat')),
  restoreMessage: (chatId: string, messageId: string) =>
    call('post', `${MESSAGE}/restore`, { path: { chatId, messageId } }).then(only('chat')),
  /** Answers a step of the chat that asks. Repeating the same answer changes nothing. */
  answerApproval: (chatId: string, approvalId: string, body: ApprovalBody) =>
    call('post', '/chats/{chatId}/approvals/{approvalId}', { path: { chatId, approvalId }, body }).then(
      only('chat'),
    ),
});
