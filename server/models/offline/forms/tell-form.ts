/** What is said to a form that can't be done as it stands. */
import { findOwnTool } from '../../../tools/catalog.ts';
import { wantedBy } from './field.ts';
import { shapeOf, type FormTool } from './fill-form.ts';

/** What is wrong with a form, and what its tool takes. */
export function tellProblem(problem: string, tool: FormTool): string {
  const { fields, required } = shapeOf(tool);
  if (fields.length === 0) return `${problem} \`${tool.name}\` takes no fields.`;
  const lines = fields.map(([name, schema]) => {
    const optional = required.has(name) ? '' : ' (optional)';
    return `- \`${name}\`${optional}: ${wantedBy(schema)}. ${schema.description ?? ''}`.trimEnd();
  });
  const example = fields.filter(
    ([name], index) => required.has(name) || (index === 0 && required.size === 0),
  );
  const form = [`/tool ${tool.name}`, ...example.map(([name]) => `${name}: …`)].join('\n');
  return `${problem} \`${tool.name}\` takes:\n\n${lines.join('\n')}\n\nWrite it like this:\n\n\`\`\`text\n${form}\n\`\`\``;
}

/** Said where a form names no tool, or none that can be used here. */
export function tellNoTool(name: string, tools: readonly FormTool[]): string {
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
