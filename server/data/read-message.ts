/**
 * Makes a message for the store from what a file says: first it is repaired until it fits the schema, so that all code can rely on it, then
 * what can't be kept elsewhere, or isn't over yet, is settled.
 */
import { Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { ExportedMessage } from '../../shared/api/data.ts';
import { Message, Step, Timing, Usage, type MessageRole } from '../../shared/api/message.ts';
import type { MessageStatus } from '../../shared/choices.ts';
import { MAX_REASONING_CHARACTERS } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { isObject, isTime } from '../lib/fields.ts';
import { isDeeper } from '../lib/is-deeper.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import { storableStep, storableUsage } from '../store/storable-reply.ts';
import { endedSteps, failedReply } from '../turns/final-reply.ts';
import { attachmentsOf, stepFilesOf, type KnownFile } from './files-in.ts';
import { isId, repairFields, wrongFields } from './repair-fields.ts';
import type { Links } from './repair-links.ts';

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

/** A message of a file, as it is or repaired; null if there is none. `words`: the findings as sentences; empty: it was valid. */
export function repairMessage(
  value: unknown,
  absent: () => Pick<ExportedMessage, 'id' | 'createdAt'>,
): { message: ExportedMessage | null; words: string } {
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

/** A message to store, without its links to others. */
export type SettledMessage = Omit<ImportedMessage, keyof Links | 'replyTo'>;

const MAX_MODEL_CHARACTERS = 400;
const INTERRUPTED = {
  code: 'interrupted',
  message: 'This reply was not finished when the chat was exported.',
} as const;

/** The message as it is stored, and sentences about files of it that are missing. */
export function settleMessage(
  message: ExportedMessage,
  chatFiles: ReadonlyMap<string, KnownFile>,
): { settled: SettledMessage; missing: string[] } {
  const { id, role, content, createdAt } = message;
  // Exports have no summaries, so summarised messages are read in full again.
  const status = message.status === 'compacted' ? 'complete' : message.status;
  const model = message.model === undefined ? null : modelNamed(message.model);
  const base = { id, role, content, createdAt, model };
  if (role === 'user') {
    const { attachments, missing } = attachmentsOf(message, chatFiles);
    const { mode = 'agent', parameters = null } = message;
    const settled = status === 'pending' ? 'complete' : status;
    return { settled: { ...base, status: settled, mode, parameters, attachments }, missing: [missing] };
  }
  const { steps, files, missing } = stepFilesOf(message, (message.steps ?? []).map(plainStep));
  const reply = {
    ...base,
    status,
    steps: endedSteps(steps, INTERRUPTED.message),
    ...(files.length > 0 && { files }),
    reasoning: message.reasoning?.slice(0, MAX_REASONING_CHARACTERS) ?? null,
    usage: message.usage === undefined ? null : lastingUsage(message.usage),
    timing: message.timing === undefined ? null : plainTiming(message.timing),
    stopReason: message.stopReason ?? null,
    rounds: message.rounds ?? null,
  };
  return { settled: { ...reply, ...endOf(message, reply) }, missing: [missing] };
}

function endOf(
  { status, error = INTERRUPTED }: ExportedMessage,
  reply: Pick<ImportedMessage, 'content'> & { steps: Step[]; usage: Usage | null },
): Partial<SettledMessage> {
  if (status === 'pending' || status === 'streaming') return failedReply(reply, INTERRUPTED, reply.usage);
  return status === 'error' ? { error: { code: error.code, message: storableText(error.message) } } : {};
}

/** The name of a model, as far as it is kept. */
export const modelNamed = (name: string): string => trimTo(storableText(name), MAX_MODEL_CHARACTERS);

const plainTiming = (timing: Timing): Timing =>
  definedFields(timing, Object.keys(Timing.properties) as (keyof Timing)[]);

/** The tokens and model of a reply. The context size is dropped, since it depends on summaries. */
const lastingUsage = (usage: Usage): Usage => ({
  ...definedFields(usage, ['inputTokens', 'outputTokens']),
  ...(usage.model !== undefined && { model: modelNamed(usage.model) }),
});

/** Only the fields of a step; a file may hold more. */
const plainStep = (step: Step): Step =>
  definedFields(step, ['id', 'tool', 'status', 'input', 'output', 'files', 'error', 'inDoubt', 'textBefore']);

/** At most that many characters, without white space around them. */
export const trimTo = (text: string, characters: number): string =>
  text.length <= characters ? text.trim() : Array.from(text.trim()).slice(0, characters).join('');
