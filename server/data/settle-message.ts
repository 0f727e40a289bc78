/** Prepares a checked message of a file for the store. */
import type { ExportedMessage } from '../../shared/api/data.ts';
import { Timing, type Step, type Usage } from '../../shared/api/message.ts';
import { MAX_REASONING_CHARACTERS } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { definedFields } from '../lib/defined-fields.ts';
import type { ImportedMessage } from '../store/import-repository.ts';
import { endedSteps, failedReply } from '../turns/final-reply.ts';
import { attachmentsOf, stepFilesOf, type KnownFile } from './files-in.ts';
import type { Links } from './repair-links.ts';

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
export const modelNamed = (name: string): string => cut(storableText(name), MAX_MODEL_CHARACTERS);

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
export const cut = (text: string, characters: number): string =>
  text.length <= characters ? text.trim() : Array.from(text.trim()).slice(0, characters).join('');
