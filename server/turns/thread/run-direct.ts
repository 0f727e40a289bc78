/**
 * Asks a turn's model directly, with a program's own request; see {@link DirectRequest}. Turns of agents (run-turn.ts) open their
 * model, and put into words what goes wrong with it, in the same way.
 */
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { MessageError, Step, StopReason, Usage } from '../../../shared/api/message.ts';
import {
  applyUpdate,
  NO_GROWTH,
  type Growth,
  type GrowthUpdate,
  type Round,
} from '../../../shared/growth.ts';
import { MAX_REPLY_CHARACTERS } from '../../../shared/limits.ts';
import type { DirectRequest, TurnPorts, TurnRequest, TurnResult } from '../../agents/turn.ts';
import { isRefusalEvent } from '../../models/answers/chat-answers.ts';
import { TEXT_WAS_THOUGHT } from '../../models/answers/thoughts-in-text.ts';
import type { createModel } from '../../models/index.ts';
import type { StreamingModel } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';

/**
 * One answer of the model as it is: nothing is added or made to fit, an empty answer is no error, and no tool is
 * called. Text, reasoning and the inputs of calls are each cut at the length of a reply. Rejects only when the signal
 * fires.
 */
export async function runDirect(
  request: TurnRequest,
  direct: DirectRequest,
  { signal, onUpdate }: Pick<TurnPorts, 'signal' | 'onUpdate'>,
  deps: ModelDeps,
): Promise<TurnResult> {
  let growth: Growth = NO_GROWTH;
  let usage: Usage = {};
  const round: Round = { textFrom: 0, stepsFrom: 0, thoughts: [], calls: [] };
  const grow = (update: GrowthUpdate): void => {
    growth = applyUpdate(growth, update);
    onUpdate(update);
  };
  const call = (id: string, change: Pick<Step, 'tool' | 'input'>): void => {
    const step: Step = { id, status: 'running', ...change };
    const { steps } = growth;
    const isNew = !steps.some((other) => other.id === id);
    grow({
      text: '',
      steps: isNew ? [...steps, step] : steps.map((other) => (other.id === id ? step : other)),
    });
  };

  try {
    const model = openModel(request, deps, (waiting) => grow({ text: '', waiting }));
    let finish: FinishReason = 'stop';
    let counts = { cachedTokens: 0, reasoningTokens: 0 };
    const { stream } = await model.doStream({
      ...direct,
      includeRawChunks: true,
      abortSignal: signal,
    });
    for await (const part of stream) {
      switch (part.type) {
        case 'raw':
          if (isRefusalEvent(part.rawValue)) grow({ text: '', isRefusal: true });
          break;
        case 'text-delta':
          grow({ text: part.delta });
          break;
        case 'custom':
          if (part.kind === TEXT_WAS_THOUGHT) grow({ text: '', keeps: 0, reasoning: growth.content });
          break;
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end': {
          const delta = part.type === 'reasoning-delta' ? part.delta : '';
          if (delta !== '') grow({ text: '', reasoning: delta });
          const textAt = growth.content.length;
          const begun = { text: '', ...(textAt > 0 && { textAt }) };
          const last = (part.type !== 'reasoning-start' && round.thoughts.pop()) || begun;
          const signed = part.providerMetadata;
          round.thoughts.push({ ...last, text: last.text + delta, ...(signed && { signed }) });
          break;
        }
        case 'tool-input-start':
          call(part.id, { tool: part.toolName, input: '' });
          break;
        case 'tool-input-delta': {
          const begun = growth.steps.find(({ id }) => id === part.id);
          if (begun !== undefined)
            call(part.id, { tool: begun.tool, input: `${String(begun.input)}${part.delta}` });
          break;
        }
        case 'tool-call':
          call(part.toolCallId, { tool: part.toolName, input: part.input });
          round.calls.push(part.providerMetadata === undefined ? {} : { signed: part.providerMetadata });
          break;
        case 'error':
          throw part.error;
        case 'finish':
          usage = usageOf(part.usage);
          counts = {
            cachedTokens: part.usage.inputTokens.cacheRead ?? 0,
            reasoningTokens: part.usage.outputTokens.reasoning ?? 0,
          };
          finish = part.finishReason.unified;
          break;
      }
      if (isTooLong(growth)) {
        finish = 'length';
        // This also ends the request to the server.
        break;
      }
    }
    const stopReason = stopReasonFor(request, finish);
    signal.throwIfAborted();
    const rounds = growth.steps.length > 0 ? { rounds: [round] } : {};
    return { outcome: 'replied', ...growth, ...rounds, usage, stopReason, counts };
  } catch (cause) {
    const error = describeFailure(cause, request, signal, deps);
    return { outcome: 'failed', ...growth, usage, error };
  }
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  return {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
  };
}

function isTooLong({ content, reasoning, steps }: Growth): boolean {
  const inputs = steps.reduce((sum, { input }) => sum + String(input).length, 0);
  return Math.max(content.length, reasoning.length, inputs) >= MAX_REPLY_CHARACTERS;
}

/** How a model's answer ended. */
export type FinishReason = LanguageModelV4FinishReason['unified'];

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
): StreamingModel {
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
export function stopReasonFor({ model }: TurnRequest, reason: FinishReason | null): StopReason {
  if (reason === 'error' || reason === 'interrupted')
    throw new ModelError('model_failed', `The model “${model}” broke off. Try again.`);
  if (reason === 'content-filter') return 'content_filter';
  return reason === 'length' ? 'length' : 'end';
}
