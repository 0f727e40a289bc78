import { DATA_TOOLS } from '../../../../tools/index.ts';
import { fieldsOf } from '../../../../lib/fields.ts';
import { queryTableTool } from '../../../../tools/data-query.ts';
import type { Request, Skill, ToolRequest } from '../../skill.ts';
import { recogniseJson } from './json.ts';
import { readList } from './lists.ts';
import { readDataAsk } from './material.ts';
import { recogniseQuery } from './query.ts';
import { formatData } from './tells.ts';

/** Works on JSON and on tables. */
export const dataSkill: Skill = {
  needs: 'my data tools',
  summary: 'check and format JSON, turn CSV and JSON into tables, filter, sort, group and add up their rows',
  examples: [
    'is this valid JSON? {"name": "Ana", "age": 30,}',
    'format this json: {"b":1,"a":[1,2]}',
    'get user.name from {"user": {"name": "Ana"}}',
    'make a table from this csv:\nname,price\npear,2.50\napple,1.20',
    'what is the sum of the price column?\nname,price\npear,2.50\napple,1.20',
    'average price per city:\nname,price,city\npear,2.50,Rome\napple,1.20,Oslo\nfig,3.10,Rome',
    'sort this table by price:\nname,price\npear,2.50\napple,1.20',
  ],
  tools: DATA_TOOLS.map(({ name }) => name),
  parse(request) {
    const answer = readingSaid(request);
    if (answer !== null) return answer;
    const list = readList(request);
    if (list !== null) return list;
    const ask = readDataAsk(request);
    if (ask === null) return null;
    const json = recogniseJson(ask);
    const table = json !== null && json.unused === undefined ? null : recogniseQuery(ask);
    return table !== null && (json === null || table.unused === undefined) ? table : json;
  },
  format: formatData,
};

const READINGS: readonly (readonly [RegExp, Record<string, string>])[] = [
  [/^(?:the )?(?:day(?: comes)?(?: first)?|dd?[/.-]mm?[/.-]yy(?:yy)?)$/, { dates: 'day first' }],
  [/^(?:the )?(?:month(?: comes)?(?: first)?|mm?[/.-]dd?[/.-]yy(?:yy)?)$/, { dates: 'month first' }],
  [/^(?:the )?(?:decimal )?(?:point|dot|full stop)$/, { decimal: '.' }],
  [/^(?:the )?(?:decimal )?comma$/, { decimal: ',' }],
];

/** "The day first", after a table couldn't be read without knowing it: the request again with that. */
function readingSaid({ text, history }: Request): ToolRequest | null {
  const step = history.at(-1)?.steps.at(-1);
  const reply = text.toLowerCase().replace(/(?<![.!])[.!]+$/, '');
  const reading = READINGS.find(([words]) => words.test(reply))?.[1];
  if (reading === undefined || step?.status !== 'failed' || step.tool !== queryTableTool.name) return null;
  return { tool: step.tool, input: { ...fieldsOf(step.input), ...reading } };
}
