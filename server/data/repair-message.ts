import { Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ExportedMessage } from '../../shared/api/data.ts';
import { Message, Step, Usage, type MessageRole } from '../../shared/api/message.ts';
import type { MessageStatus } from '../../shared/choices.ts';
import { storableStep, storableUsage } from '../store/storable-reply.ts';
import { isId, isTime, repairFields, wrongFields } from './repair-fields.ts';
import { isObject } from '../lib/fields.ts';
import { isDeeper } from '../lib/is-deeper.ts';

/** Longer than any real message; it limits the size of a transaction. */
const MAX_MESSAGE_CHARACTERS = 4_000_000;

/** More than any provider adds to a part of an answer. */
const MAX_ROUND_LEVELS = 20;

const LINK = Type.String();
const LINK_OR_NULL = Type.Union([LINK, Type.Null()]);
const FILE_DATA = Type.Record(LINK, LINK);
const MESSAGE_FIELDS = {
  ...Message.properties,
  versionOf: LINK,
  retryOf: LINK_OR_NULL,
  hiddenBy: LINK,
  fileData: FILE_DATA,
};
const COUNT = Type.Number();
/** Fractions of tokens are rounded. */
const USAGE_FIELDS = { ...Usage.properties, inputTokens: COUNT, outputTokens: COUNT, contextTokens: COUNT };

/** Values for a message that lacks them. */
export type Absent = () => Pick<ExportedMessage, 'id' | 'createdAt'>;

/** A message that can be stored, null if there is none, and the findings as sentences; empty: it was valid. */
export interface RepairedMessage {
  message: ExportedMessage | null;
  words: string;
}

/** A message of a file, as it is or repaired. */
export function repairMessage(value: unknown, absent: Absent): RepairedMessage {
  if (isValid(value)) return { message: value, words: '' };
  const wrong: string[] = [];
  const kept: Partial<ExportedMessage> = isObject(value) ? repairFields(MESSAGE_FIELDS, value, wrong) : {};
  const { role, content, id, status, createdAt, ...rest } = kept;
  if (!isObject(value) || role === undefined || content === undefined)
    return { message: null, words: 'It has no text, or no role that Parley knows, so it is left out.' };
  const message: ExportedMessage = {
    ...rest,
    role,
    content: content.slice(0, MAX_MESSAGE_CHARACTERS),
    id: isId(id) ? id : absent().id,
    status: status !== undefined && canHave(role, status) ? status : 'complete',
    createdAt: isTime(createdAt) ? createdAt : absent().createdAt,
  };
  for (const name of ['id', 'status', 'createdAt'] as const)
    if (message[name] !== kept[name] && !wrong.includes(name)) wrong.push(name);
  if (isObject(value['usage'])) message.usage = storableUsage(repairFields(USAGE_FIELDS, value['usage'], []));
  if (Array.isArray(value['steps'])) message.steps = value['steps'].filter(isObject).flatMap(repairStep);
  const words = [];
  if (wrong.length > 0) words.push(wrongFields(wrong));
  if (kept.steps?.every(isStorable) === false)
    words.push('What was nested too deeply in a tool call is cut.');
  if (message.content !== content)
    words.push(`Its text is cut after ${MAX_MESSAGE_CHARACTERS.toLocaleString('en')} characters.`);
  return { message, words: words.join(' ') };
}

// Compiled when the first file is read: few threads ever read one.
let compiled: Validator | undefined;
const isMessage = (value: unknown): value is ExportedMessage =>
  (compiled ??= Compile(ExportedMessage)).Check(value);

const isValid = (value: unknown): value is ExportedMessage =>
  isMessage(value) &&
  isId(value.id) &&
  isTime(value.createdAt) &&
  canHave(value.role, value.status) &&
  value.content.length <= MAX_MESSAGE_CHARACTERS &&
  (value.steps ?? []).every(isStorable) &&
  !isDeeper(value.rounds, MAX_ROUND_LEVELS);

const canHave = (role: MessageRole, status: MessageStatus): boolean =>
  role === 'assistant' || (status !== 'streaming' && status !== 'error');

const isStorable = (step: Step): boolean => storableStep(step) === step;

/** A tool call needs at least a name to be kept. */
function repairStep(value: Record<string, unknown>, index: number): Step[] {
  const {
    id = String(index),
    tool,
    status = 'failed',
    input = null,
    ...rest
  }: Partial<Step> = repairFields(Step.properties, value, []);
  return tool === undefined ? [] : [storableStep({ ...rest, id, tool, status, input })];
}
