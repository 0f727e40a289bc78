/** What a client asks for besides the conversation, from either endpoint: they name many fields differently. */
import type { JSONObject } from '@ai-sdk/provider';
import type { DirectRequest, ModelCallSettings } from '../../agents/turn.ts';
import { fieldsOf, isObject } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import type { FieldNames } from './fields.ts';
import type { ChatCompletionBody, ResponseBody } from './schemas.ts';
import { readToolChoice, readTools, type ClientTools } from './tools.ts';

/** How to answer. */
export interface RequestOptions {
  settings: ModelCallSettings;
  names: ClientTools['names'];
  /** Except for `reasoning`, only for a model that is asked directly. */
  direct: Pick<DirectRequest, 'tools' | 'toolChoice' | 'responseFormat' | 'reasoning' | 'providerOptions'>;
}

/** The body of either endpoint, as far as options go; `format` and `effort` have other names in each. */
type OptionsBody = Partial<ChatCompletionBody & Pick<ResponseBody, 'max_output_tokens'>> & {
  format: unknown;
  effort: unknown;
};

type Part = Pick<DirectRequest, 'responseFormat' | 'reasoning' | 'providerOptions'>;

/** The parts together, with the options of all of them. */
function withOptions(...parts: Part[]): Part {
  const options: Record<string, JSONObject> = {};
  for (const { providerOptions = {} } of parts)
    for (const [name, own] of Object.entries(providerOptions)) options[name] = { ...options[name], ...own };
  return Object.assign({}, ...parts, Object.keys(options).length > 0 && { providerOptions: options }) as Part;
}

/** What the libraries know by names of their own; `connection` are fields of a compatible server's body. */
function readProviderOptions({ parallel_tool_calls: parallel, logit_bias: bias }: OptionsBody): Part {
  const isSerial = parallel === false;
  const hasBias = bias !== undefined && bias !== null;
  if (!isSerial && !hasBias) return {};
  return {
    providerOptions: {
      openai: { ...(isSerial && { parallelToolCalls: false }), ...(hasBias && { logitBias: bias }) },
      connection: { ...(isSerial && { parallel_tool_calls: false }), ...(hasBias && { logit_bias: bias }) },
      mistral: { ...(isSerial && { parallelToolCalls: false }) },
      anthropic: { ...(isSerial && { disableParallelToolUse: true }) },
    },
  };
}

/** Reads the options of a body. Throws OpenAiError if they are invalid. */
export function readOptions(body: OptionsBody, fields: FieldNames): RequestOptions {
  const tools = readTools(body.tools);
  return {
    settings: readSettings(body),
    names: tools.names,
    direct: {
      ...readToolChoice(body.tool_choice, tools),
      ...withOptions(
        readFormat(body.format, fields.responseFormat),
        readEffort(body.effort, fields.effort),
        readProviderOptions(body),
      ),
    },
  };
}

function readSettings(body: OptionsBody): ModelCallSettings {
  const { stop } = body;
  const limit = body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens ?? 0;
  const settings = {
    temperature: body.temperature,
    topP: body.top_p,
    maxOutputTokens: limit > 0 ? limit : null,
    stopSequences: typeof stop === 'string' ? [stop] : stop,
    seed: body.seed,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
  };
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined),
  );
}

const SCHEMA_FIELDS = ['schema', 'response_schema', 'value'];
/** What a schema itself has, in place of a name and a schema. */
const SCHEMA_WORDS = ['type', 'properties', '$ref', 'anyOf', 'oneOf', 'allOf'];

/** The format to answer in; `param` names the field. */
function readFormat(format: unknown, param: string): Part {
  if (format === null || format === undefined) return {};
  const fields = fieldsOf(format);
  const { json_schema: inner, ...outer } = fields;
  const levels = [fieldsOf(inner), outer];
  // Clients mix up the levels, and servers have names of their own for the schema beside "json_object".
  const schema =
    levels.flatMap((level) => SCHEMA_FIELDS.map((name) => level[name])).find(isObject) ??
    (isObject(inner) && SCHEMA_WORDS.some((word) => word in inner) ? inner : undefined);
  const defaultType = schema === undefined ? 'text' : 'json_schema';
  const { type = typeof format === 'object' ? defaultType : null } = fields;
  if (type === 'text') return {};
  if (type === 'json_object' && schema === undefined) return { responseFormat: { type: 'json' } };
  const { name, description, strict } = { ...outer, ...(schema !== inner && fieldsOf(inner)) };
  const strictness = { strictJsonSchema: strict === true };
  if ((type !== 'json_schema' && type !== 'json_object') || schema === undefined) {
    throw invalidParam(
      param,
      `"${param}" must be of the type "text", "json_object", or "json_schema" with a schema.`,
    );
  }
  return {
    responseFormat: {
      type: 'json',
      schema,
      ...(typeof name === 'string' && { name }),
      ...(typeof description === 'string' && { description }),
    },
    // Each library has its own name for it, and its own default.
    providerOptions: { openai: strictness, openaiCompatible: strictness, mistral: strictness },
  };
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** How long the model should think. */
function readEffort(effort: unknown, param: string): Part {
  if (effort === null || effort === undefined) return {};
  // The libraries have no word for it.
  if (effort === 'max')
    return { reasoning: 'xhigh', providerOptions: { openaiCompatible: { reasoningEffort: effort } } };
  const reasoning = EFFORTS.find((known) => known === effort);
  if (reasoning !== undefined) return { reasoning };
  throw invalidParam(param, `"${param}" must be one of ${EFFORTS.join(', ')}, max.`);
}
