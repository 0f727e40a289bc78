/** Requests that a model or agent answers, without keeping anything. */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Growth } from '../../../shared/growth.ts';
import { isRehearsal, OFFLINE_MODEL_NAME } from '../../../shared/models.ts';
import { DEFAULT_AGENT_TYPE } from '../../../shared/limits.ts';
import type { ModelAndAgent } from '../../agents/answerers.ts';
import { isModelName } from '../../connections/model-names.ts';
import { OpenAiError, invalidParam } from '../../plugins/openai-error.ts';
import { findWorkspaceId } from '../../plugins/workspace.ts';
import type { StatelessRequest } from '../../turns/stateless-turns.ts';
import { signalDeparture } from '../transfer.ts';
import { isEmptyResponse, startAnswering, type Answering, type ResponseSoFar } from './answering.ts';
import { requireUserText, toCue, toHistory, toModelPrompt, type ClientConversation } from './conversation.ts';
import type { OpenAiDeps } from './deps.ts';
import { giveFiles, needsBytes, pictureFetcher, requireFewFiles, type FetchPicture } from './give-files.ts';
import { parametersOf } from './parameters.ts';
import { toClientCall } from './tools.ts';
import type { RequestOptions } from './request-options.ts';
import { failureOf, type FieldNames } from './fields.ts';

/** A client's request, parsed. */
export interface ParsedRequest {
  answerer: ModelAndAgent;
  conversation: ClientConversation;
  options: RequestOptions;
  fields: FieldNames;
}

/** The model or agent of that name. Throws OpenAiError `model_not_found`. */
export function requireAnswerer(
  { findAnswerer }: OpenAiDeps,
  request: FastifyRequest,
  name: string,
): ModelAndAgent {
  const answerer = findAnswerer(name, findWorkspaceId(request));
  if (answerer !== null) return answerer;
  throw new OpenAiError(
    404,
    `The model “${name}” does not exist. GET /v1/models lists all models, and agents as "agent:" and their type.`,
    { param: 'model', code: 'model_not_found' },
  );
}

/** Fires when the client has disconnected. */
export const departureOf = (reply: FastifyReply): AbortSignal =>
  signalDeparture(reply, new OpenAiError(499, 'The client disconnected.'));

/** Starts the answer, which ends when the client disconnects. Throws OpenAiError for what the model or agent can't do. */
export function startAnswer(
  deps: OpenAiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  parsed: ParsedRequest,
): Answering {
  const { statelessTurns, keptRounds, authenticator } = deps;
  const { answerer, conversation, options, fields } = parsed;
  const { holder } = authenticator.watch(request.headers.authorization);
  const scope = { holder, model: answerer.model };
  const restore = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt => keptRounds.restore(scope, prompt);
  const { isDirect, readInput } = inputOf(parsed, pictureFetcher(deps, request, fields), restore);
  // If the model itself is asked, steps are calls of the client's tools. An agent's own steps aren't shown.
  const toWritten = ({ content, reasoning, steps, isRefusal }: Growth): ResponseSoFar => ({
    text: content,
    reasoning,
    ...(isRefusal && { isRefusal }),
    calls: isDirect
      ? steps.map(({ id, tool, input }) => toClientCall(id, tool, String(input), options.names))
      : [],
  });
  return startAnswering(async (onWritten) => {
    const result = await statelessTurns.run({
      ...scope,
      readInput,
      rehearsal: toCue(conversation),
      signal: departureOf(reply),
      onGrowth: (growth) => onWritten(toWritten(growth)),
    });
    if (isDirect) keptRounds.keep(scope, result);
    const written = toWritten(result);
    if (result.outcome === 'failed') {
      if (!isEmptyResponse(written)) onWritten(written);
      throw failureOf(result.error, fields);
    }
    const { usage, stopReason, counts } = result;
    return { ...written, usage, stopReason, counts };
  });
}

/**
 * A connected model gets what the client sent. Agents, and the offline assistant, which needs its tools, answer as they do
 * in chats. A rehearsal can play calls of the client's tools.
 */
function inputOf(
  { answerer, conversation, options, fields }: ParsedRequest,
  fetch: FetchPicture,
  restore: (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt,
): Pick<StatelessRequest, 'readInput'> & { isDirect: boolean } {
  requireFewFiles(conversation, fields.conversation);
  const { model, agentType } = answerer;
  const playsTools = (options.direct.tools?.length ?? 0) > 0;
  if (agentType === null && model !== OFFLINE_MODEL_NAME && (!isRehearsal(model) || playsTools)) {
    return {
      isDirect: true,
      async readInput(signal, access) {
        const reading = { seesPictures: null, signal, fetch: needsBytes(access) ? fetch : null };
        const prompt = restore(toModelPrompt(conversation, await giveFiles(conversation, reading)));
        return { of: 'model', request: { ...options.settings, ...options.direct, prompt } };
      },
    };
  }
  requireAgentOptions(options, 'Agents and built-in models', fields);
  requireUserText(conversation.entries, fields.conversation);
  const parameters = parametersOf(options, conversation.instructions);
  return {
    isDirect: false,
    async readInput(signal) {
      const files = await giveFiles(conversation, { seesPictures: !isModelName(model), signal, fetch });
      const messages = toHistory(conversation, files);
      return { of: 'agent', agentType: agentType ?? DEFAULT_AGENT_TYPE, parameters, messages };
    },
  };
}

/** What to do instead, where {@link requireAgentOptions} refuses. */
const INSTEAD = {
  'Agents and built-in models': 'name a connected model',
  Chats: 'don’t keep the exchange and name a connected model',
};

/** Agents use their own tools and answer in Markdown. Throws OpenAiError if the client depends on anything else. */
export function requireAgentOptions(
  { direct: { toolChoice, responseFormat } }: RequestOptions,
  who: keyof typeof INSTEAD,
  fields: FieldNames,
): void {
  if (toolChoice?.type === 'required' || toolChoice?.type === 'tool') {
    throw invalidParam(
      'tool_choice',
      `${who} only use their own tools; leave "tool_choice" out, or ${INSTEAD[who]}.`,
    );
  }
  if (responseFormat?.type === 'json') {
    throw invalidParam(fields.responseFormat, `${who} answer in Markdown; to get JSON, ${INSTEAD[who]}.`);
  }
}
