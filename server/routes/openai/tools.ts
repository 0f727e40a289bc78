/** A client's tools as models get them, and their calls as the client gets them back. */
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { DirectRequest } from '../../agents/turn.ts';
import { attempt } from '../../../shared/attempt.ts';
import { fieldsOf, listOf, textOf, type Fields } from '../../lib/fields.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import { MAX_OFFERED_TOOLS } from '../../tools/tool-budget.ts';

/** The client's name for a tool that models know by another one. */
export interface ClientName {
  name: string;
  /** The namespace it is in; absent: none. */
  namespace?: string;
  /** It takes a plain text: models write that as the only field of an object. */
  isCustom?: true;
}

/** A call of one of the client's tools. */
export interface ClientCall extends ClientName {
  id: string;
  /** JSON text as the model wrote it; of a custom tool, its text. */
  input: string;
}

/** The tools of a request. */
export interface ClientTools {
  tools: LanguageModelV4FunctionTool[];
  /** By the names that models know, where those or their inputs differ from the client's. */
  names: ReadonlyMap<string, ClientName>;
}

const MAX_NAME_CHARACTERS = 64;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The name of a tool for models, which know no namespaces. */
export function flatName(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string') return name;
  return `${namespace.replace(/__$/, '')}__${name}`.replace(/[^\w-]/g, '_').slice(-MAX_NAME_CHARACTERS);
}

/**
 * Reads `tools`. Those of a namespace come out of it. Those of other types than "function" and "custom", such as "web_search", run at
 * OpenAI and are left out. Throws OpenAiError for tools that are invalid.
 */
export function readTools(given: readonly unknown[] | null | undefined): ClientTools {
  const names = new Map<string, ClientName>();
  const readAll = (
    list: readonly unknown[],
    param: string,
    namespace?: string,
  ): LanguageModelV4FunctionTool[] =>
    list.flatMap((one, index) => read(fieldsOf(one), `${param}[${index}]`, namespace));

  function read(tool: Fields, param: string, namespace?: string): LanguageModelV4FunctionTool[] {
    const { type } = tool;
    if (typeof type !== 'string')
      throw invalidParam(`${param}.type`, `"${param}.type" must be a type, such as "function".`);
    if (type === 'namespace')
      return readAll(listOf(tool['tools']) ?? [], `${param}.tools`, textOf(tool['name']) ?? '');
    if (type !== 'function' && type !== 'custom') return [];
    const { name, description, parameters, strict, format } = type in tool ? fieldsOf(tool[type]) : tool;
    const known = typeof name === 'string' ? flatName(name, namespace) : '';
    if (typeof name !== 'string' || !TOOL_NAME.test(known)) {
      throw invalidParam(
        param,
        `The name of a tool must be 1 to 64 letters, digits, "_" or "-"; that of "${param}" is not.`,
      );
    }
    const isCustom = type === 'custom';
    if (isCustom || namespace !== undefined)
      names.set(known, {
        name,
        ...(namespace !== undefined && { namespace }),
        ...(isCustom && { isCustom }),
      });
    const words = [textOf(description) ?? '', isCustom ? formatWords(format) : ''].filter(
      (text) => text !== '',
    );
    return [
      {
        type: 'function',
        name: known,
        inputSchema: isCustom ? CUSTOM_INPUT : (parameters ?? { type: 'object', properties: {} }),
        ...(words.length > 0 && { description: words.join('\n\n') }),
        ...(typeof strict === 'boolean' && { strict }),
      },
    ];
  }

  const tools = readAll(given ?? [], 'tools');
  if (tools.length > MAX_OFFERED_TOOLS) {
    throw invalidParam('tools', `At most ${MAX_OFFERED_TOOLS} tools are allowed; send fewer.`);
  }
  return { tools, names };
}

const CUSTOM_INPUT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** The grammar that a custom tool's text must follow, for its description; servers can't enforce it. */
function formatWords(format: unknown): string {
  const { grammar, ...own } = fieldsOf(format);
  const { syntax, definition } = grammar === undefined ? own : fieldsOf(grammar);
  return typeof definition === 'string'
    ? `"input" must follow this grammar (${String(syntax)}):\n${definition}`
    : '';
}

/** The `input` of a custom tool's call as arguments for a model. */
export const customArguments = (input: string): string => JSON.stringify({ input });

/** A call as the client knows it; `input` may still be growing. */
export function toClientCall(
  id: string,
  tool: string,
  input: string,
  names: ClientTools['names'],
): ClientCall {
  const name = names.get(tool) ?? { name: tool };
  return { id, ...name, input: name.isCustom === true ? customText(input) : input };
}

const CUSTOM_START = /^\s*\{\s*"input"\s*:\s*"/;
const WHOLE_CHARACTERS = /^(?:[^"\\]|\\(?:u[0-9a-f]{4}|[^u]))*/i;

/** The text in the arguments of a custom tool, as far as it is written; they themselves if a model wrote no JSON. */
function customText(written: string): string {
  const [start] = CUSTOM_START.exec(written) ?? [];
  if (start === undefined) return /^\s*(?:\{|$)/.test(written) ? '' : written;
  const [text = ''] = WHOLE_CHARACTERS.exec(written.slice(start.length)) ?? [];
  const plain = text.replace(/[\n\r\t]/g, (raw) => JSON.stringify(raw).slice(1, -1));
  return attempt(() => JSON.parse(`"${plain}"`) as string) ?? text;
}

/** What a `tool_choice` without a name means, in the words of several APIs; null: it is absent. */
const WORDS = new Map<unknown, 'none' | 'auto' | 'required' | null>([
  [null, null],
  ['none', 'none'],
  ['auto', 'auto'],
  ['required', 'required'],
  ['any', 'required'],
]);

/**
 * The `tool_choice` of a body, and the tools it leaves. If it names tools, they must be among those of the body. Throws OpenAiError
 * otherwise.
 */
export function readToolChoice(
  choice: unknown,
  { tools, names }: ClientTools,
): Pick<DirectRequest, 'tools' | 'toolChoice'> {
  const param = 'tool_choice';
  const fields = fieldsOf(choice);
  const word = WORDS.get(fields['type'] ?? choice ?? null);
  const find = (wanted: unknown): LanguageModelV4FunctionTool | undefined => {
    const given = fieldsOf(wanted);
    const { name } = { ...fieldsOf(given['function'] ?? given['custom']), ...given };
    return tools.find((tool) => tool.name === name || names.get(tool.name)?.name === name);
  };
  if (fields['type'] === 'allowed_tools') {
    const { mode, tools: named } = { ...fieldsOf(fields['allowed_tools']), ...fields };
    const allowed = (listOf(named) ?? []).map(find);
    return readToolChoice(mode ?? 'auto', { tools: tools.filter((tool) => allowed.includes(tool)), names });
  }
  if (word === 'required' && tools.length === 0)
    throw invalidParam(param, 'A tool is required, but there are no "tools" that a model here could use.');
  if (word !== undefined && tools.length === 0) return {};
  if (word === null) return { tools };
  if (word !== undefined) return { tools, toolChoice: { type: word } };
  const named = fields['type'] === 'function' || fields['type'] === 'custom' ? find(choice) : undefined;
  if (named !== undefined) return { tools, toolChoice: { type: 'tool', toolName: named.name } };
  throw invalidParam(
    param,
    '"tool_choice" must be "none", "auto", "required", "allowed_tools" or one of the "tools", of the type "function" or "custom".',
  );
}
