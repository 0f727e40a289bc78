/** What a client asks for besides the conversation, from either endpoint: they name many fields differently. */
import type { DirectRequest, ModelSettings } from '../../agents/turn.ts';
import { fieldsOf } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import type { FieldNames } from './fields.ts';
import { chooseTools, readTools, type ClientTools } from './tools.ts';

/** How to answer. */
export interface Wishes {
  settings: ModelSettings;
  names: ClientTools['names'];
  /** Except for `reasoning`, only for a model that is asked directly. */
  direct: Pick<DirectRequest, 'tools' | 'toolChoice' | 'responseFormat' | 'reasoning' | 'providerOptions'>;
}

/** The fields of a body that both endpoints have; `format` and `effort` have other names in each. */
export interface WishesBody extends SettingsBody {
  tools?: readonly unknown[] | null;
  tool_choice?: unknown;
  format: unknown;
  effort: unknown;
}

/** Reads the wishes of a body. Throws OpenAiError if they are invalid. */
export function readWishes(body: WishesBody, fields: FieldNames): Wishes {
  const tools = readTools(body.tools);
  return {
    settings: readSettings(body),
    names: tools.names,
    direct: {
      ...chooseTools(body.tool_choice, tools),
      ...readFormat(body.format, fields.responseFormat),
      ...readEffort(body.effort, fields.effort),
    },
  };
}

/** The fields that settings have in both endpoints. */
interface SettingsBody {
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  max_output_tokens?: number | null;
  stop?: string | string[] | null;
  seed?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
}

/** The settings of a body. */
function readSettings(body: SettingsBody): ModelSettings {
  const { stop } = body;
  const settings = {
    temperature: body.temperature,
    topP: body.top_p,
    maxOutputTokens: body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens,
    stopSequences: typeof stop === 'string' ? [stop] : stop,
    seed: body.seed,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
  };
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** The format to answer in; `param` names the field. */
function readFormat(
  format: unknown,
  param: string,
): Pick<DirectRequest, 'responseFormat' | 'providerOptions'> {
  if (format === null || format === undefined) return {};
  const fields = fieldsOf(format);
  const { type = typeof format === 'object' ? 'text' : null } = fields;
  if (type === 'text') return {};
  if (type === 'json_object') return { responseFormat: { type: 'json' } };
  const { name, description, schema, strict } =
    'json_schema' in fields ? fieldsOf(fields['json_schema']) : fields;
  const strictness = { strictJsonSchema: strict === true };
  if (type !== 'json_schema' || typeof schema !== 'object' || schema === null) {
    throw invalidParam(
      param,
      `"${param}" must be of the type "text", "json_object", or "json_schema" with a schema.`,
    );
  }
  return {
    responseFormat: {
      type: 'json',
      schema: schema,
      ...(typeof name === 'string' && { name }),
      ...(typeof description === 'string' && { description }),
    },
    // Each library has its own name for it, and its own default.
    providerOptions: { openai: strictness, openaiCompatible: strictness, mistral: strictness },
  };
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;

/** How long the model should think. */
function readEffort(effort: unknown, param: string): Pick<DirectRequest, 'reasoning'> {
  if (effort === null || effort === undefined) return {};
  const reasoning = EFFORTS.find((known) => known === effort);
  if (reasoning !== undefined) return { reasoning };
  throw invalidParam(param, `"${param}" must be one of ${EFFORTS.join(', ')}.`);
}
