/**
 * Takes chats from a file. Everything that is used later without another check (ids, times, words of the schema) is
 * checked here and in mend-message.ts; what people wrote is taken as it is. Anything invalid is repaired if that loses
 * no text, otherwise left out, and reported: one bad message must not block the others.
 */
import { Chat } from '../../shared/api/chat.ts';
import type { ExportedChat } from '../../shared/api/data.ts';
import { AGENT_TYPE_PATTERN } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { CHATS, IMPORTED, isAlwaysTold } from '../store/chat-columns.ts';
import type { FilePlace, Findings } from './findings.ts';
import { idFrom, isId, isObject, isTime, soundFields, wrongFields } from './mend-fields.ts';
import { mendMessage } from './mend-message.ts';
import { countFilesLeftOut } from './settle-files.ts';
import { takeAttachments, type KnownFile } from './take-file.ts';

/** More than any chat has; limits the work of reading one. */
export const MAX_CHAT_MESSAGES = 500_000;

const MAX_TOLD_TITLE = 80;
const AGENT_TYPE = new RegExp(AGENT_TYPE_PATTERN);

/** Checks beyond the schema. */
const CHECKS: Readonly<Partial<Record<keyof Chat, (value: unknown) => boolean>>> = {
  id: isId,
  createdAt: isTime,
  updatedAt: isTime,
  agentType: (value) => AGENT_TYPE.test(String(value)),
};

/** A chat that is being read. */
export interface OpenChat {
  exported: ExportedChat;
  place: FilePlace;
  /** Messages read from the file so far, imported or not. */
  read: number;
  ids: Set<string>;
  /** Files that came with it, by the ids by which its messages name them. */
  files: Map<string, KnownFile>;
}

/** Opens the chat of that number, from 1; null, with a finding, if it isn't a chat. */
export function openChat(value: unknown, number: number, findings: Findings): OpenChat | null {
  const head = isObject(value) && isObject(value['chat']) ? value['chat'] : null;
  if (!isObject(value) || head === null) {
    findings.leaveOut(
      { chat: number, message: null },
      'This is no chat, or it is damaged or too large, so it is left out.',
    );
    return null;
  }
  const place: FilePlace = { chat: number, message: null };
  if (typeof head['title'] === 'string')
    place.title = storableText(head['title']).slice(0, MAX_TOLD_TITLE).toWellFormed();
  const wrong: string[] = [];
  const sound = soundFields(Chat.properties, head, wrong) as Partial<Chat>;
  const createdAt = [sound.createdAt, sound.updatedAt].find(isTime) ?? new Date().toISOString();
  const { workspaceId = '' } = sound;
  const id = idFrom(JSON.stringify(head));
  const otherwise = CHATS.complete({ id, createdAt, updatedAt: createdAt, workspaceId });
  const chat: Record<string, unknown> = { workspaceId };
  for (const name of IMPORTED) {
    const value = sound[name];
    const isSound = value !== undefined && (CHECKS[name]?.(value) ?? true);
    chat[name] = isSound ? value : otherwise[name];
    if (!isSound && isAlwaysTold(name) && !wrong.includes(name)) wrong.push(name);
  }
  const { titleSource } = value;
  const isSource = titleSource === 'default' || titleSource === 'message' || titleSource === 'model';
  if (wrong.length > 0) findings.mend(place, wrongFields(wrong));
  return {
    exported: { chat: chat as Chat, titleSource: isSource ? titleSource : 'person', messages: [] },
    place,
    read: 0,
    ids: new Set(),
    files: new Map(),
  };
}

/** Takes the next message of a chat, as it is or repaired, or leaves it out. */
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
    findings.leaveOut(place, 'It stands in the chat twice, so it is left out here.');
    return;
  }
  const words = [said, wordsForFiles(countFilesLeftOut(message)), takeAttachments(message, to.files)];
  if (words.some((sentence) => sentence !== '')) findings.mend(place, words.filter(Boolean).join(' '));
  to.ids.add(message.id);
  messages.push(message);
}

function wordsForFiles(count: number): string {
  if (count === 0) return '';
  const subject = count === 1 ? 'A file that a tool gave is' : `${count} files that tools gave are`;
  return `${subject} not in it, or not soundly; the rest of the message is taken.`;
}
