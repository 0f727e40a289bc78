import { isStepCount, streamText } from 'ai';
import type { FinishReason, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { ModelError } from '../models/model-error.ts';
import type { RehearsalCue } from '../models/rehearsal/cue.ts';
import type { Usage } from '../../shared/api/message.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import { boundOutput } from './bound-output.ts';
import { findAgent, type AgentDefinition } from './definitions.ts';
import { toModelMessages } from './history.ts';
import { createReply, type Reply } from './reply.ts';
import { describeEmptyReply, describeRefusal, describeToolError } from './fault-words.ts';
import type { ToolKit } from './tool-kit.ts';
import type { TurnPorts, TurnRequest, TurnResult } from './turn.ts';

/** Makes the model of that name for one turn; null when there is none. */
export type CreateModel = (name: string, context: ModelContext) => LanguageModelV4 | null;

/** What a model is made with. */
interface ModelContext {
  now: Date;
  timeZone: string;
  /** Where the chat's rehearsal stands, for a model that plays one. */
  rehearsal?: RehearsalCue;
}

/** What {@link runTurn} works with, besides the turn itself. */
export interface TurnDeps {
  createModel: CreateModel;
  tools: ToolKit;
  /** Agent definitions; the built-in ones when absent. */
  agents?: readonly AgentDefinition[];
  /** Wraps the synchronous part of each call into tool and model code; calls straight through when absent. */
  guard?: <T>(work: () => T) => T;
  /** Told of faults whose details the reader is not shown; nobody is when absent. */
  onFault?: (where: string, error: unknown) => void;
}

const CHAT_MODE_INSTRUCTIONS =
  'Tools are switched off for this message: answer from the conversation alone, and say so when a tool would be needed.';

/**
 * Makes one reply: lets the agent's model answer the conversation, with tools in mode `agent`. Whatever goes wrong on the
 * way becomes a failed step or a failed result, in words. Rejects only when the signal fires, with its reason, at once,
 * even when a tool or the model pays no heed.
 */
export async function runTurn(request: TurnRequest, ports: TurnPorts, deps: TurnDeps): Promise<TurnResult> {
  const { signal } = ports;
  signal.throwIfAborted();
  const reply = createReply((update) => ports.onUpdate(update));
  try {
    // The SDK gives up its streams and tools as soon as the signal fires; they may go on in the background, unheard.
    const result = await converse(request, ports, deps, reply);
    signal.throwIfAborted();
    return result;
  } finally {
    reply.close('It was stopped before it was done.');
  }
}

async function converse(
  request: TurnRequest,
  { workspace, signal }: TurnPorts,
  deps: TurnDeps,
  reply: Reply,
): Promise<TurnResult> {
  const { timeZone, rehearsal } = request;
  const now = new Date(request.now);
  const agent = findAgent(request.agentType, deps.agents);
  const guard = deps.guard ?? (<T>(work: () => T): T => work());
  const onFault = (where: string, error: unknown): void => deps.onFault?.(where, error);
  const failed = (message: string, code: TurnErrorCode = 'model_failed'): TurnResult => {
    reply.close('The reply ended before it was done.');
    return {
      outcome: 'failed',
      content: reply.content,
      steps: reply.steps,
      error: { code, message },
    };
  };

  try {
    const model = guard(() =>
      deps.createModel(request.model, { now, timeZone, ...(rehearsal && { rehearsal }) }),
    );
    if (model === null) return failed(`There is no model called “${request.model}”. Choose another one.`);
    const withTools = request.mode === 'agent';
    const parts = streamText({
      model: guarded(model, guard),
      instructions: instructionsFor(agent, request),
      messages: toModelMessages(request.messages),
      ...(withTools && {
        tools: deps.tools.toolSet(agent.tools, { workspace, now, timeZone, signal, guard, onFault }),
      }),
      stopWhen: isStepCount(agent.stepLimit),
      maxRetries: 0,
      // Nobody listens here, and preparing events for nobody costs a third of a turn.
      telemetry: { isEnabled: false },
      abortSignal: signal,
      // Errors also come as parts of the stream; without this the SDK prints them.
      onError: () => undefined,
    }).stream;

    const end = await follow(parts, reply);
    signal.throwIfAborted();
    if (end.error !== undefined) {
      const { cause } = end.error;
      if (cause instanceof ModelError) return failed(cause.message, cause.code);
      onFault(`model ${request.model}`, end.error.cause);
      return failed(
        `The model “${request.model}” reported an error, so there is no complete reply. Try again.`,
      );
    }
    if (end.finishReason === 'content-filter')
      return failed(`The model “${request.model}” declined to answer this.`);
    if (end.finishReason === 'error') return failed(`The model “${request.model}” broke off. Try again.`);
    const atStepLimit = end.toolsPending && end.rounds >= agent.stepLimit;
    if (reply.content.trim() === '') {
      if (!atStepLimit) return failed(describeEmptyReply(request.model, end.finishReason));
      reply.addText(
        `I stopped after ${end.rounds} rounds of work with tools, without having reached an answer.`,
      );
    }
    reply.close('It was never run.');
    return {
      outcome: 'replied',
      content: reply.content,
      steps: reply.steps,
      usage: toUsage(end.usage),
      stopReason: end.finishReason === 'length' ? 'length' : atStepLimit ? 'step_limit' : 'end',
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) return failed(error.message, error.code);
    onFault(`model ${request.model}`, error);
    return failed(`The model “${request.model}” failed, so there is no complete reply. Try again.`);
  }
}

/** What is known of a stream once it has ended. */
interface StreamEnd {
  /** Rounds of model work. */
  rounds: number;
  /** The last round called tools, so the model had more to say. */
  toolsPending: boolean;
  finishReason: FinishReason | null;
  usage: LanguageModelUsage | null;
  error?: { cause: unknown };
}

async function follow(parts: AsyncIterable<TextStreamPart<ToolSet>>, reply: Reply): Promise<StreamEnd> {
  const end: StreamEnd = { rounds: 0, toolsPending: false, finishReason: null, usage: null };
  const refusals = new Map<string, string>();
  for await (const part of parts) {
    switch (part.type) {
      case 'start-step':
        end.rounds += 1;
        end.toolsPending = false;
        reply.beginRound();
        break;
      case 'text-delta':
        reply.addText(part.text);
        break;
      case 'tool-call':
        end.toolsPending = true;
        if (part.invalid === true) refusals.set(part.toolCallId, describeRefusal(part.toolName, part.error));
        reply.beginStep(part.toolCallId, part.toolName, part.input);
        break;
      case 'tool-result':
        if (part.preliminary === true) break;
        // Our own tools' outputs are bounded already; what a provider ran comes as it is.
        reply.endStep(part.toolCallId, {
          output: part.providerExecuted === true ? boundOutput(part.output) : part.output,
        });
        break;
      case 'tool-error':
        reply.endStep(part.toolCallId, {
          error: refusals.get(part.toolCallId) ?? describeToolError(part.error),
        });
        break;
      case 'error':
        end.error ??= { cause: part.error };
        break;
      case 'finish':
        end.finishReason = part.finishReason;
        end.usage = part.totalUsage;
        break;
    }
  }
  return end;
}

function instructionsFor(agent: AgentDefinition, { mode, now, timeZone }: TurnRequest): string {
  const moment = `It is ${now} (UTC); the person’s time zone is ${timeZone}.`;
  return [agent.instructions, moment, ...(mode === 'chat' ? [CHAT_MODE_INSTRUCTIONS] : [])].join('\n\n');
}

function guarded(model: LanguageModelV4, guard: <T>(work: () => T) => T): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => guard(() => model.doGenerate(options)),
    doStream: (options) => guard(() => model.doStream(options)),
  };
}

function toUsage(usage: LanguageModelUsage | null): Usage {
  return {
    ...(usage?.inputTokens !== undefined && { inputTokens: usage.inputTokens }),
    ...(usage?.outputTokens !== undefined && { outputTokens: usage.outputTokens }),
  };
}
