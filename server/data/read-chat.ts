/**
 * Makes a chat for the store from what a file says. Everything that is used later without another check (ids, times,
 * words of the schema) is checked here and in read-message.ts; what people wrote is taken as it is. Anything invalid is
 * repaired if that loses no text, otherwise left out, and reported: one bad message must not block the others. Nothing
 * in the chat is under way any more: it must not suddenly be answered years later and elsewhere.
 */
import { randomUUID } from 'node:crypto';
import { NO_GROWTH } from '../../shared/growth.ts';
import { Chat } from '../../shared/api/chat.ts';
import type { ExportedMessage } from '../../shared/api/data.ts';
import { AGENT_TYPE_PATTERN, MAX_PERSON_TITLE_CHARACTERS, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { type ChatStatus, isUnsettled } from '../../shared/choices.ts';
import { stoppedReply } from '../turns/final-reply.ts';
import { storableText } from '../lib/clean-name.ts';
import { CHATS, IMPORTED, isAlwaysShown, type NewChat } from '../store/chat-columns.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import type { KnownFile } from './files-in.ts';
import type { FileLocation, Findings } from './findings.ts';
import { idFrom, isId, repairFields, wrongFields } from './repair-fields.ts';
import { isObject, isTime } from '../lib/fields.ts';
import { trimTo, modelNamed, repairMessage, settleMessage, type SettledMessage } from './read-message.ts';
import { repairLinks } from './repair-links.ts';

/** More than any chat has; limits the work of reading one. */
export const MAX_CHAT_MESSAGES = 500_000;

const MAX_SHOWN_TITLE = 80;
const AGENT_TYPE = new RegExp(AGENT_TYPE_PATTERN);

/** Checks beyond the schema. */
const CHECKS: Readonly<Partial<Record<keyof Chat, (value: unknown) => boolean>>> = {
  id: isId,
  createdAt: isTime,
  updatedAt: isTime,
  agentType: (value) => AGENT_TYPE.test(String(value)),
};

/** A chat that is ready to be stored. */
export interface ReadChat {
  /** Without a model: it gets that of new chats. */
  chat: Omit<NewChat, 'workspaceId'>;
  messages: ImportedMessage[];
  /** The ids from the file; the others are new. */
  fileIds: string[];
}

/** A chat that is being read. */
export interface OpenChat {
  chat: ReadChat['chat'];
  location: FileLocation;
  /** Messages read from the file so far, imported or not. */
  read: number;
  ids: Set<string>;
  /** Files that came with it, by the ids by which its messages name them. */
  files: Map<string, KnownFile>;
  /** Its messages as the file says, and as they are stored. */
  messages: { known: ExportedMessage; settled: SettledMessage }[];
}

/** Opens the chat of that number, from 1; null, with a finding, if it isn't a chat. */
export function openReadChat(value: unknown, number: number, findings: Findings): OpenChat | null {
  const head = isObject(value) && isObject(value['chat']) ? value['chat'] : null;
  const location: FileLocation = { chat: number, message: null };
  if (!isObject(value) || head === null) {
    findings.leaveOut(location, 'This is no chat, or it is damaged or too large, so it is left out.');
    return null;
  }
  if (typeof head['title'] === 'string')
    location.title = storableText(head['title']).slice(0, MAX_SHOWN_TITLE).toWellFormed();
  const wrong: string[] = [];
  const valid = repairFields(Chat.properties, head, wrong) as Partial<Chat>;
  const createdAt = [valid.createdAt, valid.updatedAt].find(isTime) ?? new Date().toISOString();
  const id = idFrom(JSON.stringify(head));
  const otherwise = CHATS.complete({ id, createdAt, updatedAt: createdAt, workspaceId: '' });
  const fields: Record<string, unknown> = {};
  for (const name of IMPORTED) {
    const value = valid[name];
    const isValid = value !== undefined && (CHECKS[name]?.(value) ?? true);
    fields[name] = isValid ? value : otherwise[name];
    if (!isValid && isAlwaysShown(name) && !wrong.includes(name)) wrong.push(name);
  }
  if (wrong.length > 0) findings.repaired(location, wrongFields(wrong));
  const { titleSource } = value;
  const isSource = titleSource === 'default' || titleSource === 'message' || titleSource === 'model';
  const { model, ...chat } = fields as unknown as Pick<Chat, (typeof IMPORTED)[number]>;
  const named = modelNamed(model);
  return {
    chat: {
      ...chat,
      ...(named !== '' && { model: named }),
      title: trimTo(storableText(chat.title), MAX_PERSON_TITLE_CHARACTERS) || NEW_CHAT_TITLE,
      titleSource: isSource ? titleSource : 'person',
    },
    location,
    read: 0,
    ids: new Set(),
    files: new Map(),
    messages: [],
  };
}

/** Takes the next message of a chat, as it is or repaired, or leaves it out. */
export function takeMessage(value: unknown, to: OpenChat, findings: Findings): void {
  to.read += 1;
  const location = { ...to.location, message: to.read };
  const { message, words: repair } = repairMessage(value, () => ({
    id: idFrom(to.chat.id, String(to.read)),
    createdAt: to.messages.at(-1)?.known.createdAt ?? to.chat.createdAt,
  }));
  if (message === null) {
    findings.leaveOut(location, repair);
    return;
  }
  if (to.ids.has(message.id)) {
    findings.leaveOut(location, 'It stands in the chat twice, so it is left out here.');
    return;
  }
  const { settled, missing } = settleMessage(message, to.files);
  const words = [repair, ...missing].filter((sentence) => sentence !== '');
  if (words.length > 0) findings.repaired(location, words.join(' '));
  to.ids.add(message.id);
  to.messages.push({ known: message, settled });
}

/**
 * The chat with the messages that were taken. Links that don't fit together are dropped and all messages listed: that
 * loses no text, and later code can rely on the links.
 */
export function finishChat(open: OpenChat, findings: Findings): ReadChat {
  const known = open.messages.map((message) => message.known);
  const links = repairLinks(known);
  if (links === null)
    findings.repaired(open.location, 'Its versions don’t fit together, so all of its messages are listed.');
  const linksOf = links ?? (() => ({ versionOf: null, retryOf: null, hiddenBy: null }));
  const questions = new Set(known.filter(({ role }) => role === 'user').map(({ id }) => id));
  const messages = open.messages.map(({ known: message, settled }): ImportedMessage => {
    const { role, replyTo = null } = message;
    const isReply = role === 'assistant' && replyTo !== null && questions.has(replyTo);
    return { ...settled, ...linksOf(message), replyTo: isReply ? replyTo : null };
  });
  const { chat } = open;
  for (const message of known)
    if (message.role === 'user' && message.status === 'pending')
      messages.push({
        ...stoppedReply(NO_GROWTH),
        id: randomUUID(),
        role: 'assistant',
        model: chat.model ?? null,
        replyTo: message.id,
        createdAt: chat.updatedAt,
        versionOf: null,
        retryOf: null,
        hiddenBy: linksOf(message).hiddenBy,
      });
  const { status = 'idle' } = chat;
  const isUnderWay =
    isUnsettled(status) || known.some((message) => ['pending', 'streaming'].includes(message.status));
  return {
    chat: { ...chat, status: isUnderWay ? restingStatus(messages) : status },
    messages,
    fileIds: known.map(({ id }) => id),
  };
}

/** The status that the chat would have if it had been stopped when it was exported. */
function restingStatus(messages: ImportedMessage[]): ChatStatus {
  const last = messages.findLast(({ role, hiddenBy }) => role === 'assistant' && hiddenBy === null);
  if (last?.status === 'error') return 'failed';
  return last?.stopReason === 'stopped' ? 'stopped' : 'idle';
}
