/**
 * What a chat in a file must be like. A file may come from anywhere: everything that is used later without a further look
 * (ids, times, words of the schema) is checked here; what people wrote is taken as it is.
 */
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Validator } from 'typebox/compile';
import { Chat } from '../../shared/api/chat.ts';
import { ExportedChat, ExportedMessage } from '../../shared/api/data.ts';
import { AGENT_TYPE_PATTERN } from '../../shared/limits.ts';
import { breathe } from './pieces.ts';
import { damagedAt, type FilePlace } from './import-words.ts';

/** Longer than any message there is; it bounds one transaction. */
const MAX_MESSAGE_CHARACTERS = 4_000_000;
/** Deeper than any tool's output; it bounds what walks through it later. */
const MAX_DEPTH = 1_000;
const CHECKED_AT_ONCE = 500;

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const AGENT_TYPE = new RegExp(AGENT_TYPE_PATTERN);

const isId = (value: string): boolean => ID.test(value);
const isTime = (value: string): boolean => TIME.test(value) && !Number.isNaN(Date.parse(value));

// Compiled when the first file is checked: few processes ever see one.
const Head = Type.Object({ chat: Chat, titleSource: ExportedChat.properties.titleSource });
let compiled: { head: Validator; message: Validator } | undefined;
const schemas = (): { head: Validator; message: Validator } =>
  (compiled ??= { head: Compile(Head), message: Compile(ExportedMessage) });

/** Which ids a file has used so far: each may stand in it once. */
export interface SeenIds {
  chats: Set<string>;
  messages: Set<string>;
}

/** Checks a chat without its messages; throws what refuses the file. */
export function checkHead(value: unknown, chat: number, seen: SeenIds): void {
  const place: FilePlace = { chat };
  const { head } = schemas();
  if (!head.Check(value)) throw firstProblem(head, value, place);
  const known = (value as ExportedChat).chat;
  if (!isId(known.id)) throw damagedAt(place, '/chat/id', 'must be 1 to 64 letters, digits, "_" or "-"');
  if (!AGENT_TYPE.test(known.agentType)) {
    throw damagedAt(place, '/chat/agentType', 'must be 1 to 64 letters, digits, "_" or "-"');
  }
  for (const name of ['createdAt', 'updatedAt'] as const) {
    if (!isTime(known[name])) throw damagedAt(place, `/chat/${name}`, 'must be an ISO 8601 UTC time');
  }
  if (seen.chats.has(known.id)) throw damagedAt(place, '/chat/id', 'stands in the file twice');
  seen.chats.add(known.id);
}

/** Checks one message; throws what refuses the file. */
export function checkMessage(value: unknown, place: FilePlace, seen: SeenIds): void {
  const schema = schemas().message;
  if (!schema.Check(value)) throw firstProblem(schema, value, place);
  const message = value as ExportedMessage;
  if (!isId(message.id)) throw damagedAt(place, '/id', 'must be 1 to 64 letters, digits, "_" or "-"');
  if (!isTime(message.createdAt)) throw damagedAt(place, '/createdAt', 'must be an ISO 8601 UTC time');
  if (message.role === 'user' && (message.status === 'streaming' || message.status === 'error')) {
    throw damagedAt(place, '/status', 'can not be that of a user message');
  }
  if (message.content.length > MAX_MESSAGE_CHARACTERS) {
    throw damagedAt(place, '/content', `is over ${MAX_MESSAGE_CHARACTERS.toLocaleString('en')} characters`);
  }
  if (message.steps !== undefined && isDeeper(message.steps, MAX_DEPTH)) {
    throw damagedAt(place, '/steps', `is nested more than ${MAX_DEPTH.toLocaleString('en')} levels deep`);
  }
  if (seen.messages.has(message.id)) throw damagedAt(place, '/id', 'stands in the file twice');
  seen.messages.add(message.id);
}

/** Checks a chat with its messages, letting others have the event loop in between, also in a file of many short chats. */
export async function checkChat(value: unknown, chat: number, seen: SeenIds): Promise<void> {
  const isTimeToBreathe = (): boolean => (seen.chats.size + seen.messages.size) % CHECKED_AT_ONCE === 0;
  checkHead(value, chat, seen);
  if (isTimeToBreathe()) await breathe();
  const { messages } = value as { messages: unknown };
  if (!Array.isArray(messages)) throw damagedAt({ chat }, '/messages', 'must be a list');
  for (const [message, each] of (messages as unknown[]).entries()) {
    checkMessage(each, { chat, message }, seen);
    if (isTimeToBreathe()) await breathe();
  }
}

function firstProblem(schema: Validator, value: unknown, place: FilePlace): Error {
  const [problem] = schema.Errors(value);
  return damagedAt(place, problem?.instancePath ?? '', problem?.message ?? 'is not valid');
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isDeeper(each, levels - 1));
}
