/** Asks the model directly, with a program's own request; see {@link DirectRequest}. */
import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Step, Usage } from '../../../shared/api/message.ts';
import type { TurnErrorCode } from '../../../shared/errors.ts';
import { applyUpdate, NO_GROWTH, type Growth, type GrowthUpdate } from '../../../shared/growth.ts';
import { MAX_REPLY_CHARACTERS } from '../../../shared/limits.ts';
import type { ModelAccess } from '../../connections/model-access.ts';
import type { DirectRequest, TurnPorts, TurnRequest, TurnResult } from '../../agents/turn.ts';
import type { RehearsalCue } from '../../models/rehearsal/acts.ts';
import { ModelError } from '../../models/model-error.ts';
import { withToolNames } from '../../tools/tool-names.ts';

/** Creates the model of that name for one turn; null when there is none. */
export type CreateModel = (name: string, context: ModelContext) => LanguageModelV4 | null;

/** Context for creating a model. */
interface ModelContext {
  now: Date;
  timeZone: string;
  /** Where the chat's rehearsal stands, for a model that plays one. */
  rehearsal?: RehearsalCue;
  /** How to reach it, if it is a connected model. */
  access?: ModelAccess;
}

/** Dependencies of asking a model. */
export interface DirectDeps {
  createModel: CreateModel;
  /** Called with internal errors whose details the reader doesn't see. */
  onFault?: (where: string, error: unknown) => void;
}

/**
 * One answer of the model as it is: nothing is added or made to fit, an empty answer is no error, and no tool is
 * called. Text, reasoning and the inputs of calls are each cut at the length of a reply. Rejects only when the signal
 * fires.
 */
export async function runDirect(
  request: TurnRequest,
  direct: DirectRequest,
  { signal, onUpdate }: Pick<TurnPorts, 'signal' | 'onUpdate'>,
  { createModel, onFault }: DirectDeps,
): Promise<TurnResult> {
  const { model: name, access, rehearsal, timeZone } = request;
  let growth: Growth = NO_GROWTH;
  let usage: Usage = {};
  let finish: LanguageModelV4FinishReason['unified'] = 'stop';
  let isCut = false;
  const failed = (message: string, code: TurnErrorCode = 'model_failed'): TurnResult => ({
    outcome: 'failed',
    ...growth,
    usage,
    error: { code, message },
  });
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
    const model = createModel(name, {
      now: new Date(request.now),
      timeZone,
      ...(rehearsal && { rehearsal }),
      ...(access !== null && { access }),
    });
    if (model === null) return failed(`There is no model called “${name}”.`, 'model_not_found');
    const { stream } = await model.doStream({
      ...direct,
      prompt: withToolNames(direct.prompt),
      abortSignal: signal,
    });
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta':
          grow({ text: part.delta });
          break;
        case 'reasoning-delta':
          grow({ text: '', reasoning: part.delta });
          break;
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
          break;
        case 'error':
          throw part.error;
        case 'finish':
          usage = usageOf(part.usage);
          finish = part.finishReason.unified;
          break;
      }
      isCut = isTooLong(growth);
      // Leaving the loop also ends the request to the server.
      if (isCut) break;
    }
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return failed(error.message, error.code);
    onFault?.(`model ${name}`, error);
    return failed(`The model “${name}” reported an error. Try again.`);
  }
  if (finish === 'content-filter') return failed(`The model “${name}” declined to answer this.`);
  if (finish === 'error' || finish === 'interrupted')
    return failed(`The model “${name}” broke off. Try again.`);
  return {
    outcome: 'replied',
    ...growth,
    usage,
    stopReason: isCut || finish === 'length' ? 'length' : 'end',
  };
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
