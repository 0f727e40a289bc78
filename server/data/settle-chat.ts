/**
 * Prepares a chat from a file for the store. Nothing in it is under way any more, whatever the file says: it must not
 * suddenly be answered years later and elsewhere. Inconsistent links are dropped and all messages listed: that loses no
 * text, and later code can rely on the links.
 */
import { NO_GROWTH } from '../../shared/growth.ts';
import { isUnsettled, type ChatStatus } from '../../shared/api/chat.ts';
import type { ExportedChat, ExportedMessage } from '../../shared/api/data.ts';
import { Timing, type Step, type Usage } from '../../shared/api/message.ts';
import {
  MAX_PERSON_TITLE_CHARACTERS,
  MAX_REASONING_CHARACTERS,
  NEW_CHAT_TITLE,
} from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { endedSteps, failedReply, stoppedReply } from '../turns/final-reply.ts';
import { IMPORTED, type NewChat } from '../store/chat-columns.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import { storableText } from '../lib/clean-name.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { settleFiles } from './settle-files.ts';
import { settledAttachments } from './take-file.ts';
import { soundLinks, type Links } from './sound-links.ts';

/** A chat that is ready to be stored. */
export interface SettledChat {
  chat: NewChat;
  messages: ImportedMessage[];
  /** The ids from the file; the others are new. */
  fileIds: string[];
}

const MAX_MODEL_CHARACTERS = 400;
const INTERRUPTED = {
  code: 'interrupted',
  message: 'This reply was not finished when the chat was exported.',
} as const;

/** Prepares a checked chat. `newId` makes the ids of added replies, and of files. */
export function settleChat(exported: ExportedChat, workspaceId: string, newId: () => string): SettledChat {
  const fileIds = exported.messages.map(({ id }) => id);
  const links = soundLinks(exported.messages);
  const questions = new Set(exported.messages.filter(({ role }) => role === 'user').map(({ id }) => id));
  const messages = exported.messages.map((message): ImportedMessage => {
    const { replyTo = null } = message;
    return {
      ...settleMessage(message, newId),
      ...links(message),
      replyTo: message.role === 'assistant' && replyTo !== null && questions.has(replyTo) ? replyTo : null,
    };
  });
  const waiting = exported.messages.filter(({ role, status }) => role === 'user' && status === 'pending');
  for (const message of waiting)
    messages.push(emptyReply(message, exported, links(message).hiddenBy, newId()));
  return { chat: settleHead(exported, messages, workspaceId), messages, fileIds };
}

function settleHead(exported: ExportedChat, messages: ImportedMessage[], workspaceId: string): NewChat {
  const { chat, titleSource } = exported;
  const wasUnderWay = exported.messages.some(({ status }) => status === 'pending' || status === 'streaming');
  return {
    ...definedFields(chat, IMPORTED),
    workspaceId,
    title: cut(storableText(chat.title), MAX_PERSON_TITLE_CHARACTERS) || NEW_CHAT_TITLE,
    titleSource,
    status: isUnsettled(chat.status) || wasUnderWay ? restingStatus(messages) : chat.status,
    model: cut(storableText(chat.model), MAX_MODEL_CHARACTERS) || OFFLINE_MODEL_NAME,
  };
}

/** The status that the chat would have if it had been stopped when it was exported. */
function restingStatus(messages: ImportedMessage[]): ChatStatus {
  const last = messages.findLast(({ role, hiddenBy }) => role === 'assistant' && hiddenBy === null);
  if (last?.status === 'error') return 'failed';
  return last?.stopReason === 'stopped' ? 'stopped' : 'idle';
}

type Settled = Omit<ImportedMessage, keyof Links | 'replyTo'>;

function settleMessage(message: ExportedMessage, newId: () => string): Settled {
  const { id, role, content, createdAt } = message;
  // Exports have no summaries, so summarised messages are read in full again.
  const status = message.status === 'compacted' ? 'complete' : message.status;
  const base = { id, role, content, createdAt };
  if (role === 'user')
    return {
      ...base,
      status: status === 'pending' ? 'complete' : status,
      mode: message.mode ?? 'agent',
      model: settledModel(message),
      parameters: message.parameters ?? null,
      attachments: settledAttachments(message, newId),
    };
  const { steps, files } = settleFiles(message, (message.steps ?? []).map(plainStep), newId);
  const reply = {
    ...base,
    status,
    model: settledModel(message),
    steps: endedSteps(steps, INTERRUPTED.message),
    ...(files.length > 0 && { files }),
    reasoning: message.reasoning?.slice(0, MAX_REASONING_CHARACTERS) ?? null,
    usage: message.usage === undefined ? null : lastingUsage(message.usage),
    timing: message.timing === undefined ? null : plainTiming(message.timing),
    stopReason: message.stopReason ?? null,
  };
  if (status === 'pending' || status === 'streaming')
    return { ...reply, ...failedReply(reply, INTERRUPTED, reply.usage) };
  if (status !== 'error') return reply;
  const { error = INTERRUPTED } = message;
  return { ...reply, error: { code: error.code, message: storableText(error.message) } };
}

const settledModel = ({ model }: ExportedMessage): string | null =>
  model === undefined ? null : cut(storableText(model), MAX_MODEL_CHARACTERS);

const plainTiming = (timing: Timing): Timing =>
  definedFields(timing, Object.keys(Timing.properties) as (keyof Timing)[]);

/** The tokens and model of a reply. The context size is dropped, since it depends on summaries. */
const lastingUsage = (usage: Usage): Usage => ({
  ...definedFields(usage, ['inputTokens', 'outputTokens']),
  ...(usage.model !== undefined && { model: cut(storableText(usage.model), MAX_MODEL_CHARACTERS) }),
});

/** A reply that says that a message which was still waiting won't be answered. */
function emptyReply(
  message: ExportedMessage,
  { chat }: ExportedChat,
  hiddenBy: string | null,
  id: string,
): ImportedMessage {
  return {
    id,
    role: 'assistant',
    model: cut(storableText(chat.model), MAX_MODEL_CHARACTERS),
    ...stoppedReply(NO_GROWTH),
    replyTo: message.id,
    createdAt: chat.updatedAt,
    versionOf: null,
    retryOf: null,
    hiddenBy,
  };
}

/** Only the fields of a step; a file may hold more. */
const plainStep = (step: Step): Step =>
  definedFields(step, ['id', 'tool', 'status', 'input', 'output', 'files', 'error', 'inDoubt', 'textBefore']);

const cut = (text: string, characters: number): string =>
  text.length <= characters ? text.trim() : Array.from(text.trim()).slice(0, characters).join('');
