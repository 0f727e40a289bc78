/** What a model's server refuses in requests, by its words: left out from then on, and kept in `ModelAccess.refused`. API.md lists the names. */
import { createHash } from 'node:crypto';
import { APICallError, type LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelAccess } from '../connections/model-access.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { isFilePart } from './file-parts.ts';
import type { FaultKind } from './model-fault.ts';
import { saysBadOutput } from './refusal-words.ts';

type Options = LanguageModelV4CallOptions;

/** Fields of a request, and how servers call them. */
const SETTINGS = {
  temperature: /temperature/i,
  topP: /top_?p\b/i,
  maxOutputTokens: /max_?(?:completion_|output_|new_|output)?tokens|num_predict/i,
  stopSequences: /\bstop(?:_?sequences?)?\b/i,
  seed: /\b(?:random_)?seed\b/i,
  presencePenalty: /(?<!frequency_?)penalty/i,
  frequencyPenalty: /(?<!presence_?)penalty/i,
  toolChoice: /tool_?choice/i,
  responseFormat:
    /response_?(?:format|schema|mime_?type)|json_schema|structured.outputs?|output_(?:format|config)/i,
  reasoning: /reasoning(?!_content)|thinking|["'`]think["'`]/i,
} as const satisfies Partial<Record<keyof Options, RegExp>>;
type Setting = keyof typeof SETTINGS;
const SETTING_NAMES = Object.keys(SETTINGS) as Setting[];

const SYSTEM =
  /system[ _]?(?:role|message|prompt|instruction)|\brole\W+(?:\w+\W+){0,3}system|["'`]system["'`]|\bsystem:|developer (?:instruction|role|message)|roles must alternate|\buser\W{1,4}(?:(?:or|and)\W{1,3})?assistant/i;
const USAGE = /stream_options|include_usage/i;
const NEWER_LIMIT = /max_completion_tokens/i;
const THOUGHTS = /reasoning_content|reasoning content/i;
const WANTED = /must be|missing|required|passed back/i;
const TOOL = /tool|function|schema|parameter/i;
/** The list of tools as a field. */
const TOOLS_FIELD = /["'`]tools["'`]|\btools:|arguments? supplied:[^.]{0,99}\btools\b/i;
const TOOL_NUMBER = /(?:function_?declarations|tools|functions)\W{1,4}(\d+)\b/gi;
/** What is wrong is a value, so that another one may be taken. */
const VALUE =
  /\b(?:between|range|at (?:most|least)|maximum|minimum|must (?:contain|be (?:in|within|less|greater|below|above|positive|one))|exceeds?|(?:less|greater|larger|higher|more) than|too (?:large|high|many|long|small|low)|up to|invalid value|supported values|one of)\b/i;
/** The conversation lacks what OpenAI's models need for JSON. */
const NO_WORD = /must contain the word/i;
const ARGUMENTS = /arguments|json|pars(?:e|ing)|delimiter|unterminated/i;

/** Faults that can be about a field. Some servers report a refusal of their template as an error of their own. */
const REFUSALS: readonly FaultKind[] = ['refused', 'no_tools', 'server_fault', 'unknown'];
/** What is only sent in another way, so that nothing is lost. */
const UNSEEN = ['max_tokens', 'reasoning_content', 'no reasoning_content', 'arguments', 'json_schema'];

const ofTool = (name: string): string => `tool:${name}`;
/** The name of a setting that is refused with this value, but may be taken with another. */
const valueName = (name: string, value: unknown): string =>
  `${name}=${createHash('sha256').update(JSON.stringify(value)).digest('base64url')}`;
const isRefused = (refused: readonly string[], name: string, value: unknown): boolean =>
  refused.some((one) => one === name || (one.startsWith(`${name}=`) && one === valueName(name, value)));

/** The name of what the refusal is about and the request has; null: something else. `refused` were found before. */
export function findRefused(
  error: unknown,
  kind: FaultKind,
  options: Options,
  { provider, refused = [] }: Pick<ModelAccess, 'provider' | 'refused'>,
): string | null {
  const isNew = (name: string): boolean => !refused.includes(name);
  const { tools = [], prompt } = options;
  if (kind === 'no_pictures') {
    // Without those of the last message, its answer would be about nothing.
    const asked = prompt.findLast(({ role }) => role === 'user');
    return prompt.some(hasPicture) && asked && !hasPicture(asked) && isNew('pictures') ? 'pictures' : null;
  }
  if (!REFUSALS.includes(kind)) return null;
  if (kind === 'no_tools') return tools.length > 0 && isNew('tools') ? 'tools' : null;
  const { words, param } = wordsOf(error);
  if (saysBadOutput(words)) return null;
  const has = (name: Setting): boolean =>
    options[name] !== undefined && !isRefused(refused, name, options[name]);
  const isFormat = RECORDS[provider].rules.arguments === 'text';

  const thoughts = WANTED.test(words) ? 'reasoning_content' : 'no reasoning_content';
  if (THOUGHTS.test(words) && isNew(thoughts)) return thoughts;
  if (isFormat && NEWER_LIMIT.test(words) && has('maxOutputTokens') && isNew('max_tokens'))
    return 'max_tokens';
  if (isFormat && USAGE.test(words) && isNew('stream_options')) return 'stream_options';
  const setting =
    SETTING_NAMES.find((name) => has(name) && SETTINGS[name].test(param)) ??
    SETTING_NAMES.find((name) => has(name) && SETTINGS[name].test(words));
  const tool = findTool(
    words,
    tools.filter(({ name }) => isNew(ofTool(name))),
  );
  // A schema of a tool may name its fields as it likes.
  if (tool !== null && (setting === undefined || !SETTINGS[setting].test(param))) return ofTool(tool);
  // Prose in place of JSON would be no answer.
  if (setting === 'responseFormat' && NO_WORD.test(words)) return null;
  if (setting === 'responseFormat' && hasSchema(options) && isNew('json_schema')) return 'json_schema';
  if (setting !== undefined) return VALUE.test(words) ? valueName(setting, options[setting]) : setting;
  if (tools.length > 0 && isNew('tools') && (TOOLS_FIELD.test(words) || /^tools\b/.test(param)))
    return 'tools';
  if (SYSTEM.test(words) && prompt[0]?.role === 'system' && isNew('instructions')) return 'instructions';
  const hasCalls = prompt.some(({ role }) => role === 'tool');
  return ARGUMENTS.test(words) && hasCalls && isNew('arguments') ? 'arguments' : null;
}

const hasPicture = ({ role, content }: Options['prompt'][number]): boolean =>
  role === 'user' && content.some(isFilePart);

const hasSchema = ({ responseFormat }: Options): boolean =>
  responseFormat?.type === 'json' && responseFormat.schema !== undefined;

/** The tool that a refusal is about, by its name or number, or by what is wrong with its schema. */
function findTool(words: string, tools: readonly { name: string; inputSchema?: unknown }[]): string | null {
  if (!TOOL.test(words)) return null;
  const named = tools
    .filter(
      ({ name }) => name.length > 2 && new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`).test(words),
    )
    .toSorted((one, other) => other.name.length - one.name.length);
  const numbers = [...words.matchAll(TOOL_NUMBER)].map(([, number]) => Number(number));
  const found = named[0] ?? tools[numbers.at(-1) ?? -1];
  const bare = /\bitems\b/i.test(words)
    ? tools.find(({ inputSchema }) => hasBareArray(inputSchema))
    : undefined;
  return (found ?? bare)?.name ?? null;
}

/** Whether a schema has an array of anything, which is the usual reason why servers refuse one. */
function hasBareArray(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('type' in schema && schema.type === 'array' && !('items' in schema)) return true;
  return Object.values(schema).some(hasBareArray);
}

/** What a refusal says, and the field that it names as such. */
function wordsOf(error: unknown): { words: string; param: string } {
  const body = APICallError.isInstance(error) ? error.responseBody : undefined;
  const words = body ?? (error instanceof Error ? error.message : JSON.stringify(error));
  const [, param = ''] = /"(?:param|field)"\s*:\s*"([^"]+)"/.exec(words) ?? [];
  return { words, param };
}

/** The request without what its server refuses. The messages are the work of request-messages.ts. */
export function withoutRefused(options: Options, refused: readonly string[]): Options {
  const entries = Object.entries(options).filter(([name, value]) => !isRefused(refused, name, value));
  const request = Object.fromEntries(entries) as unknown as Options;
  const tools = (request.tools ?? []).filter(({ name }) => !refused.includes(ofTool(name)));
  if (tools.length > 0) request.tools = tools;
  else delete request.tools;
  const { toolChoice } = request;
  const isGone = toolChoice?.type === 'tool' && !tools.some(({ name }) => name === toolChoice.toolName);
  if (tools.length === 0 || isGone) delete request.toolChoice;
  if (request.responseFormat?.type === 'json' && refused.includes('json_schema'))
    request.responseFormat = { type: 'json' };
  return request;
}

/** The body of a request in OpenAI's format without what its server refuses. */
export function bodyWithoutRefused(body: string, refused: readonly string[]): string {
  const isRenamed = refused.includes('max_tokens');
  const hasNoUsage = refused.includes('stream_options');
  if (!isRenamed && !hasNoUsage) return body;
  const { max_tokens: limit, stream_options: usage, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({
    ...rest,
    ...(limit !== undefined && { [isRenamed ? 'max_completion_tokens' : 'max_tokens']: limit }),
    ...(usage !== undefined && !hasNoUsage && { stream_options: usage }),
  });
}

/** What a turn's requests lacked that they would have had. */
export const leftOut = (
  refused: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  tools: readonly string[],
): string[] =>
  refused.flatMap((one) => {
    const name = one.replace(/=.*/, '');
    const value = settings[name];
    const isSetting = SETTING_NAMES.some((known) => known === name);
    if (UNSEEN.includes(name) || (name === 'tools' && tools.length === 0)) return [];
    if (isSetting && (value === undefined || !isRefused([one], name, value))) return [];
    return name.startsWith('tool:') && !tools.some((tool) => ofTool(tool) === name) ? [] : [name];
  });
