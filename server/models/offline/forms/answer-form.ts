import type { Step } from '../../../../shared/api/message.ts';
import { fieldsOf } from '../../../lib/fields.ts';
import { findOwnTool } from '../../../tools/catalog.ts';
import { codeBlock } from '../../../tools/text-markdown.ts';
import type { Move, Offered, Request } from '../skill.ts';
import { skillsOfTool } from '../skills/index.ts';
import { formatFailure } from '../wording/refusals.ts';
import { wantedBy } from './field.ts';
import { fillForm, formShapeOf, type FormTool } from './fill-form.ts';
import type { ToolForm } from './read-form.ts';

/** The call that a form asks for, or the answer if it can’t be made with the tools offered. */
export function answerForm({ tool: name, rest }: ToolForm, offered: Offered): Move {
  const tools = offered.filter((tool): tool is FormTool & typeof tool => tool.type === 'function');
  const tool = tools.find((each) => each.name.toLowerCase().replaceAll('-', '_') === name);
  if (tool === undefined) return { type: 'text', text: formatNoTool(name, tools) };
  const filled = fillForm(rest, tool);
  return 'problem' in filled
    ? { type: 'text', text: formatProblem(filled.problem, tool) }
    : { type: 'calls', calls: [{ tool: tool.name, input: filled.input }] };
}

/** What a call gave, in the words of the skill that knows the tool; of any other tool as it is. */
export function formatResult({ tool, input, output, status, error }: Step, request: Request): string {
  if (status !== 'done') return formatFailure(error ?? '', null);
  const given = (input ?? {}) as Record<string, unknown>;
  for (const skill of skillsOfTool(tool)) {
    const formatted = skill.format(tool, given, output, request).trim();
    if (formatted !== '') return formatted;
  }
  return formatOutput(output);
}

/** A result as it is; of one that holds a text or a list of texts, that. */
export function formatOutput(output: unknown): string {
  if (typeof output === 'string') return output;
  const { text, items, note } = fieldsOf(output);
  const isTexts = Array.isArray(items) && items.every((item) => typeof item === 'string');
  const formatted = typeof text === 'string' ? text : isTexts ? items.join('\n') : null;
  if (formatted === null) return codeBlock(JSON.stringify(output, null, 2), 'json');
  return [codeBlock(formatted), ...(typeof note === 'string' ? [note] : [])].join('\n\n');
}

/** What is wrong with a form, and what its tool takes. */
function formatProblem(problem: string, tool: FormTool): string {
  const { fields, required } = formShapeOf(tool);
  if (fields.length === 0) return `${problem} \`${tool.name}\` takes no fields.`;
  const lines = fields.map(([name, schema]) => {
    const optional = required.has(name) ? '' : ' (optional)';
    return `- \`${name}\`${optional}: ${wantedBy(schema)}. ${schema.description ?? ''}`.trimEnd();
  });
  const isShown = (name: string, at: number): boolean =>
    required.has(name) || (at === 0 && required.size === 0);
  const example = fields.filter(([name], at) => isShown(name, at));
  const form = [`/tool ${tool.name}`, ...example.map(([name]) => `${name}: …`)].join('\n');
  return `${problem} \`${tool.name}\` takes:\n\n${lines.join('\n')}\n\nWrite it like this:\n\n\`\`\`text\n${form}\n\`\`\``;
}

/** The answer to a form that names no tool, or none that can be used here. */
function formatNoTool(name: string, tools: readonly FormTool[]): string {
  if (tools.length === 0)
    return 'Tools are switched off for this message, since it was sent in mode “chat” or to an agent without tools. Send it in mode “agent”.';
  const own = findOwnTool(name);
  if (own?.runs === 'service')
    return `\`${name}\` can’t be used yet: allow a folder, or fetching web pages, in Settings, Tools.`;
  if (own !== null) return `\`${name}\` is a tool that this chat’s agent may not use.`;
  const lines = tools.map((tool) => `- \`${tool.name}\`: ${sentenceOf(tool)}`);
  const start = name === '' ? 'Name a tool' : `There is no tool \`${name}\``;
  return `${start}. These can be used:\n\n${lines.join('\n')}\n\nWrite \`/tool\`, its name, and each field on a line of its own: \`name: value\`.`;
}

const sentenceOf = ({ name, description = '' }: FormTool): string =>
  findOwnTool(name)?.sentence ?? /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description;
