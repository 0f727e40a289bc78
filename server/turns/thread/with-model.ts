/** Creates a turn's model, and puts into words what goes wrong with it. */
import type { LanguageModelV4, LanguageModelV4FinishReason } from '@ai-sdk/provider';
import type { MessageError } from '../../../shared/api/message.ts';
import type { TurnRequest, TurnResult } from '../../agents/turn.ts';
import type { createModel } from '../../models/index.ts';
import { ModelError } from '../../models/model-error.ts';

/** Dependencies of asking a model. */
export interface ModelDeps {
  createModel: typeof createModel;
  /** Called with internal errors whose details the reader doesn't see. */
  onFault?: (where: string, error: unknown) => void;
}

/**
 * Lets the turn's model answer; `onWaiting` is called as in ModelContext. Whatever goes wrong becomes the result of `failed`. Rejects only when the signal fires, with its
 * reason.
 */
export async function withModel(
  request: TurnRequest,
  signal: AbortSignal,
  deps: ModelDeps,
  onWaiting: (what: string) => void,
  answer: (model: LanguageModelV4) => Promise<TurnResult>,
  failed: (error: MessageError) => TurnResult,
): Promise<TurnResult> {
  const { model: name, access, rehearsal, timeZone } = request;
  try {
    const model = deps.createModel(name, {
      now: new Date(request.now),
      timeZone,
      onWaiting,
      ...(rehearsal && { rehearsal }),
      ...(access !== null && { access }),
    });
    if (model === null)
      throw new ModelError('model_not_found', `There is no model called “${name}”. Choose another one.`);
    const result = await answer(model);
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return failed({ code: error.code, message: error.message });
    deps.onFault?.(`model ${name}`, error);
    const message = `The model “${name}” failed, so there is no complete reply. Try again.`;
    return failed({ code: 'model_failed', message });
  }
}

/** The result with what the model's server is known to refuse by now. */
export const withRefused = ({ access }: TurnRequest, result: TurnResult): TurnResult =>
  access?.refused === undefined || access.refused.length === 0
    ? result
    : { ...result, refused: access.refused };

/** Throws ModelError if a model ended its answer for a reason that makes it no reply. */
export function checkFinish(
  { model }: TurnRequest,
  reason: LanguageModelV4FinishReason['unified'] | null,
): void {
  if (reason === 'content-filter')
    throw new ModelError('model_failed', `The model “${model}” declined to answer this.`);
  if (reason === 'error' || reason === 'interrupted')
    throw new ModelError('model_failed', `The model “${model}” broke off. Try again.`);
}
