/** What a client asks for besides the conversation, from either endpoint: they name many fields differently. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { DirectRequest, ModelSettings } from '../../agents/turn.ts';
import { fieldsOf } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import { MAX_OFFERED_TOOLS } from '../../tools/tool-budget.ts';
import type { FieldNames } from './fields.ts';

/** How to answer. */
export interface Wishes {
  settings: ModelSettings;
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
    direct: {
      ...(tools.length > 0 && { tools }),
      ...readToolChoice(body.tool_choice, tools),
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

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The tools of a body; their fields are inside `function` in chat completions, next to `type` in responses. Throws
 * OpenAiError for tools that aren't functions, which would run at OpenAI.
 */
function readTools(tools: readonly unknown[] | null | undefined): LanguageModelV4FunctionTool[] {
  const all = (tools ?? []).map((tool, index) => readTool(fieldsOf(tool), `tools[${index}]`));
  if (all.length > MAX_OFFERED_TOOLS) {
    throw invalidParam('tools', `At most ${MAX_OFFERED_TOOLS} tools are allowed; send fewer.`);
  }
  return all;
}

function readTool(tool: Readonly<Record<string, unknown>>, param: string): LanguageModelV4FunctionTool {
  if (tool['type'] !== 'function') {
    throw invalidParam(
      `${param}.type`,
      'Only tools of the type "function" are supported; your program makes their calls.',
    );
  }
  const { name, description, parameters, strict } = 'function' in tool ? fieldsOf(tool['function']) : tool;
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw invalidParam(
      param,
      `The name of a tool must be 1 to 64 letters, digits, "_" or "-"; that of "${param}" is not.`,
    );
  }
  return {
    type: 'function',
    name,
    inputSchema: parameters ?? { type: 'object', properties: {} },
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** The `tool_choice` of a body. If it names a tool, that must be one of its tools. */
function readToolChoice(
  choice: unknown,
  tools: readonly LanguageModelV4FunctionTool[],
): Pick<DirectRequest, 'toolChoice'> {
  const param = 'tool_choice';
  if (choice === null || choice === undefined) return {};
  if (choice === 'required' && tools.length === 0) {
    throw invalidParam(param, 'A tool is required, but there are no "tools".');
  }
  if (choice === 'none' || choice === 'auto' || choice === 'required') {
    return tools.length === 0 ? {} : { toolChoice: { type: choice } };
  }
  const { type, name, function: called } = fieldsOf(choice);
  const wanted = name ?? fieldsOf(called)['name'];
  if (type === 'function' && tools.some((tool) => tool.name === wanted)) {
    return { toolChoice: { type: 'tool', toolName: String(wanted) } };
  }
  throw invalidParam(
    param,
    '"tool_choice" must be "none", "auto", "required", or a function that is one of the "tools".',
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
