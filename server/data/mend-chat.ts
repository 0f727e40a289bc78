/**
 * Takes chats from a file. Everything that is used later without a further look (ids, times, words of the schema) is made sure of
 * here and in mend-message.ts; what people wrote is taken as it is. What is not as it should be is put right where that loses no
 * text, else left out, and told: one odd message must not keep all others from coming in.
 */
import { Chat } from '../../shared/api/chat.ts';
import type { ExportedChat } from '../../shared/api/data.ts';
import { AGENT_TYPE_PATTERN, DEFAULT_AGENT_TYPE, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { storableText } from '../lib/clean-name.ts';
import type { FilePlace, Findings } from './findings.ts';
import { idFrom, isId, isObject, isTime, soundFields, wrongFields } from './mend-fields.ts';
import { mendMessage } from './mend-message.ts';
import { countFilesLeftOut } from './settle-files.ts';

/** More than any chat has; it bounds what reading one takes. */
export const MAX_CHAT_MESSAGES = 500_000;

const MAX_TOLD_TITLE = 80;
const AGENT_TYPE = new RegExp(AGENT_TYPE_PATTERN);

/** A chat that is being read. */
export interface OpenChat {
  exported: ExportedChat;
  place: FilePlace;
  /** Messages that stood in the file so far, taken or not. */
  read: number;
  ids: Set<string>;
}

/** Opens the chat of that number, from 1; null, and noted: there is none in that. */
export function openChat(value: unknown, number: number, findings: Findings): OpenChat | null {
  const head = isObject(value) && isObject(value['chat']) ? value['chat'] : null;
  if (!isObject(value) || head === null) {
    findings.leaveOut({ chat: number, message: null }, 'This is no chat, so it was left out.');
    return null;
  }
  const place: FilePlace = { chat: number, message: null };
  if (typeof head['title'] === 'string')
    place.title = storableText(head['title']).slice(0, MAX_TOLD_TITLE).toWellFormed();
  const wrong: string[] = [];
  const sound = soundFields(Chat.properties, head, wrong) as Partial<Chat>;
  const or = <T>(name: keyof Chat, value: T | undefined, isSound: boolean, otherwise: T): T => {
    if (isSound && value !== undefined) return value;
    if (!wrong.includes(name)) wrong.push(name);
    return otherwise;
  };
  const isKnown = (found: unknown): boolean => found !== undefined;
  const createdAt = isTime(sound.createdAt) ? sound.createdAt : sound.updatedAt;
  const now = new Date().toISOString();
  const { titleSource } = value;
  const isSource = titleSource === 'default' || titleSource === 'message' || titleSource === 'model';
  const chat: Chat = {
    id: or('id', sound.id, isId(sound.id), idFrom(JSON.stringify(head))),
    title: or('title', sound.title, isKnown(sound.title), NEW_CHAT_TITLE),
    status: or('status', sound.status, isKnown(sound.status), 'idle'),
    model: or('model', sound.model, isKnown(sound.model), OFFLINE_MODEL_NAME),
    createdAt: or('createdAt', sound.createdAt, isTime(sound.createdAt), isTime(createdAt) ? createdAt : now),
    updatedAt: or('updatedAt', sound.updatedAt, isTime(sound.updatedAt), isTime(createdAt) ? createdAt : now),
    workspaceId: sound.workspaceId ?? '',
    agentType: or('agentType', sound.agentType, AGENT_TYPE.test(sound.agentType ?? ''), DEFAULT_AGENT_TYPE),
    pinned: or('pinned', sound.pinned, isKnown(sound.pinned), false),
    archived: or('archived', sound.archived, isKnown(sound.archived), false),
  };
  if (wrong.length > 0) findings.mend(place, wrongFields(wrong));
  return {
    exported: { chat, titleSource: isSource ? titleSource : 'person', messages: [] },
    place,
    read: 0,
    ids: new Set(),
  };
}

/** Takes the next message of a chat, as it is or put right, or leaves it out. */
export function takeMessage(value: unknown, to: OpenChat, findings: Findings): void {
  to.read += 1;
  const place = { ...to.place, message: to.read };
  const { chat, messages } = to.exported;
  const { message, said } = mendMessage(value, () => ({
    id: idFrom(chat.id, String(to.read)),
    createdAt: messages.at(-1)?.createdAt ?? chat.createdAt,
  }));
  if (message === null) {
    findings.leaveOut(place, said);
    return;
  }
  if (to.ids.has(message.id)) {
    findings.leaveOut(place, 'It stands in the chat twice, so it was left out here.');
    return;
  }
  const filesLeftOut = countFilesLeftOut(message);
  if (said !== '' || filesLeftOut > 0) findings.mend(place, `${said} ${wordsForFiles(filesLeftOut)}`.trim());
  to.ids.add(message.id);
  messages.push(message);
}

function wordsForFiles(count: number): string {
  if (count === 0) return '';
  const subject = count === 1 ? 'A file that a tool gave is' : `${count} files that tools gave are`;
  return `${subject} not in it, or not soundly; the rest of the message is taken.`;
}
