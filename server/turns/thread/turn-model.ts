/** Opens a turn's model, and puts into words what goes wrong with it. */
import type { LanguageModelV4, LanguageModelV4FinishReason } from '@ai-sdk/provider';
import type { MessageError, StopReason } from '../../../shared/api/message.ts';
import type { TurnRequest } from '../../agents/turn.ts';
import type { createModel } from '../../models/index.ts';
import { ModelError } from '../../models/model-error.ts';

/** Dependencies of asking a model. */
export interface ModelDeps {
  createModel: typeof createModel;
  /** Called with internal errors whose details the reader doesn't see. */
  onFault?: (where: string, error: unknown) => void;
}

/** A turn's model; `onWaiting` is called as in ModelContext. Throws ModelError if there is none of that name. */
export function openModel(
  { model: name, access, rehearsal, timeZone, now }: TurnRequest,
  { createModel }: ModelDeps,
  onWaiting: (what: string) => void,
): LanguageModelV4 {
  const model = createModel(name, {
    now: new Date(now),
    timeZone,
    onWaiting,
    ...(rehearsal && { rehearsal }),
    ...(access !== null && { access }),
  });
  if (model !== null) return model;
  throw new ModelError('model_not_found', `There is no model called “${name}”. Choose another one.`);
}

/** What went wrong with a turn's model, in words. Throws the signal's reason if that has fired. */
export function describeFailure(
  error: unknown,
  { model: name }: TurnRequest,
  signal: AbortSignal,
  { onFault }: ModelDeps,
): MessageError {
  signal.throwIfAborted();
  if (error instanceof ModelError) return { code: error.code, message: error.message };
  onFault?.(`model ${name}`, error);
  const message = `The model “${name}” failed, so there is no complete reply. Try again.`;
  return { code: 'model_failed', message };
}

/** The stop reason of an answer that ended for `reason`. Throws ModelError if that makes it no reply. */
export function stopReasonFor(
  { model }: TurnRequest,
  reason: LanguageModelV4FinishReason['unified'] | null,
): StopReason {
  if (reason === 'error' || reason === 'interrupted')
    throw new ModelError('model_failed', `The model “${model}” broke off. Try again.`);
  if (reason === 'content-filter') return 'content_filter';
  return reason === 'length' ? 'length' : 'end';
}
