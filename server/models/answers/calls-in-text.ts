/** Finds calls of tools in a model's text, where servers that don't know its marks leave them. What can't be read as one stays text. */
import { randomUUID } from 'node:crypto';
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { attempt } from '../../../shared/attempt.ts';
import { parseExactly } from '../../lib/exact-json.ts';
import { fieldsOf } from '../../lib/fields.ts';
import { argumentsText, recordsIn, toolNameOf } from './answer-format.ts';
import { anyMark, firstMark, partOfMark } from './marks.ts';
import { endOfObject, fromPython, repairedArguments } from './repair-arguments.ts';

type Part = LanguageModelV4StreamPart;

/** A tool's name, and its arguments as the model wrote them. */
type Call = [name: string, args: string];

/** How calls begin, by models' templates (Hermes, Qwen, GLM, Llama, Mistral, gpt-oss, DeepSeek, Kimi, Granite and others). */
const OPENINGS = [
  '<tool_call>',
  '<function=',
  '<function_calls>',
  '<minimax:tool_call>',
  '<seed:tool_call>',
  '<TOOLCALL>',
  '<|python_tag|>',
  '<|tool_call|>',
  '<|START_ACTION|>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_start|>',
  '<|tool_call>',
  '<start_function_call>',
  '<|python_start|>',
  '<|action_start|>',
  '<tool_calls>',
  '<tools>',
  '<｜DSML｜function_calls>',
  '<|channel|>commentary to=',
  '<|channel|>analysis to=',
  '<｜tool▁calls▁begin｜>',
  '[TOOL_CALLS]',
];
const ANY_OPENING = anyMark(OPENINGS);
/** How calls without marks begin, without blanks: as objects, or in Python, some in a block of code. Models of Llama, Gemma and Phi write so. */
const BARE = [
  /^(?:```(?:json|tool_call|tool_code)?)?(?:\{"tool_calls":)?\[?\{(?:"type":"function",)?(?:"function":\{)?"name":"([^"]+)"/,
  /^(?:```(?:json|tool_code)?)?\[([\w.-]+)\(/,
  /^```tool_code(?:print\()?(?:default_api\.)?([\w.-]+)\(/,
  /^functools\[\{"name":"([^"]+)"/,
];
/** What may become one. */
const MAYBE_BARE = /^(?:functools)?[[{`][\w`{}[\]":,(.-]{0,150}$/;
const IN_FENCE = /^```\w*\s([\s\S]*)```$/;
const MAX_BARE_CHARACTERS = 200;
/** A longer one is text. */
const MAX_CALL_CHARACTERS = 1_000_000;

/** Turns calls in a model's text into parts for calls, part by part. For one round. */
export function findCalls(tools: LanguageModelV4CallOptions['tools'] = []): (part: Part) => Part[] {
  const schemas = new Map(
    tools.flatMap((tool) => (tool.type === 'function' ? [[tool.name, tool.inputSchema] as const] : [])),
  );
  /** What was passed on, and what may be a call. */
  let [shown, held] = ['', ''];
  let isHeld = false;
  /** What is held is one without marks. */
  let isBare = false;
  let hasCalls = false;

  function say(id: string, count: number): Part[] {
    const text = held.slice(0, count);
    held = held.slice(count);
    shown += text;
    return text === '' ? [] : [{ type: 'text-delta', id, delta: text }];
  }

  function read(id: string, isLast: boolean): Part[] {
    if (shown.trim() === '') {
      const start = held.slice(0, MAX_BARE_CHARACTERS).replace(/\s+/g, '');
      isBare = BARE.some((opening) => schemas.has(opening.exec(start)?.[1] ?? ''));
      isHeld = isBare;
      if (isBare || (!isLast && ('functools'.startsWith(start) || MAYBE_BARE.test(start)))) return [];
    }
    const found = firstMark(ANY_OPENING, shown, held, isLast);
    if (found === null) return say(id, held.length - (isLast ? 0 : partOfMark(held, OPENINGS)));
    isHeld = true;
    return say(id, found.at);
  }

  function end(part: Extract<Part, { type: 'text-end' }>): Part[] {
    const before = isHeld ? [] : read(part.id, true);
    const calls = isHeld ? callsIn(held, schemas, isBare) : [];
    if (calls.length === 0) before.push(...say(part.id, held.length));
    hasCalls ||= calls.length > 0;
    [held, isHeld] = ['', false];
    return [...before, part, ...calls.map(callPart)];
  }

  return (part) => {
    if (schemas.size === 0) return [part];
    if (part.type === 'text-end') return end(part);
    if (part.type === 'finish' && hasCalls && part.finishReason.unified === 'stop')
      return [{ ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } }];
    if (part.type !== 'text-delta') return [part];
    held += part.delta;
    isHeld &&= held.length <= MAX_CALL_CHARACTERS;
    return isHeld ? [] : read(part.id, false);
  };
}

function callPart([toolName, input]: Call): Part {
  // Mistral takes no longer ones.
  const toolCallId = randomUUID().replaceAll('-', '').slice(0, 9);
  return { type: 'tool-call', toolCallId, toolName, input: repairedArguments(input) ?? input };
}

/** The calls in a text that begins like one; none: it can't be read. `isBare`: it must consist of nothing else. */
function callsIn(marked: string, schemas: ReadonlyMap<string, object>, isBare: boolean): Call[] {
  const text = (IN_FENCE.exec(marked.trim())?.[1] ?? marked).replace(/｜DSML｜|^\s*functools/g, '');
  const inMarks = [...text.matchAll(IN_MARKS)].map(([, named, within, glm, body = within ?? '']): Call => {
    const name = toolNameOf(named ?? glm) ?? '';
    return [name, body.trimStart().startsWith('{') ? body : fieldsIn(body, schemas.get(name))];
  });
  if (inMarks.length > 0) return inMarks;
  const { calls, rest } = objectsIn(PYTHON.test(text) ? fromPython(text) : text);
  return isBare && /[^\s,;[\]]/.test(rest) ? [] : calls;
}

/** `<function=name>…</function>`, `<invoke name="name">…</invoke>`, and GLM's name before its arguments. */
const IN_MARKS =
  /<(?:function=|invoke name=)"?([\w.:-]+)"?>([\s\S]*?)(?:<\/(?:function|invoke)>|$)|<tool_call>\s*([\w.:-]+)\s*(<arg_key>[\s\S]*?(?:<\/tool_call>|$)|<\/tool_call>)/g;
const FIELDS =
  /<parameter(?:=| name=)"?([^<>"]+)(?:"[^<>]*)?>([\s\S]*?)(?:<\/parameter>|$)|<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([\s\S]*?)(?:<\/arg_value>|$)/g;

/** Arguments that stand in marks as JSON: a text is itself where the tool wants one. */
function fieldsIn(body: string, schema: object | undefined): string {
  const { properties } = fieldsOf(schema);
  const fields = [...body.matchAll(FIELDS)].map(([, named, text = '', key, value = text]) => {
    const name = (named ?? key ?? '').trim();
    const written = value.replace(/^\n|\n$/g, '');
    const isText = fieldsOf(fieldsOf(properties)[name])['type'] === 'string';
    return [name, isText ? written : (attempt(() => parseExactly(written)) ?? written)] as const;
  });
  return JSON.stringify(Object.fromEntries(fields));
}

/** Calls in Python, after a mark or alone, and Gemma's `call:name{key:<|"|>text<|"|>}`. */
const PYTHON = /^\s*(?:<[^<>]*>\s*)*(?:call:|(?:\[\s*)?[\w.-]+\()/;

/** What stands around a name and is none. */
const NOISE = /^(?:functions?|json|code|assistant|commentary|analysis)$/;

/** Calls as objects, with the tool's name in them or before them, and what stands around them. None if one can't be read. */
function objectsIn(text: string): { calls: Call[]; rest: string } {
  const calls: Call[] = [];
  let from = 0;
  let rest = '';
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', from)) {
    const before = text.slice(from, at);
    const length = endOfObject(text.slice(at));
    const object = text.slice(at, length === null ? undefined : at + length);
    from = at + object.length;
    rest += before;
    const outer = fieldsOf(attempt(() => parseExactly(object)));
    const { tool_calls: within = [outer['function'] ?? outer] } = outer;
    for (const called of recordsIn(within)) {
      const given = called['arguments'] ?? called['parameters'] ?? called['input'];
      const [, broken] = /"name"\s*:\s*"([^"]+)"/.exec(length === null ? object : '') ?? [];
      const name = toolNameOf(called['name'] ?? called['tool_name'] ?? broken);
      const words = before.replace(/<[^<>]*>|\[[A-Z_]+\]/g, ' ').match(/[\w.:-]+/g) ?? [];
      const nameBefore = /to=([\w.:-]+)/.exec(before)?.[1] ?? words.find((word) => !NOISE.test(word));
      if (name !== null) calls.push([name, broken === undefined ? (argumentsText(given) ?? '') : object]);
      else if (nameBefore !== undefined) calls.push([toolNameOf(nameBefore) ?? nameBefore, object]);
      else return { calls: [], rest };
    }
  }
  return { calls, rest: rest + text.slice(from) };
}
