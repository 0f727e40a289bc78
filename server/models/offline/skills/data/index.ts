import { attempt } from '../../../../../shared/attempt.ts';
import { wordSet } from '../../reading/rules.ts';
import { DATA_TOOLS } from '../../../../tools/index.ts';
import { parseJsonInput, stepsOfPath, valueAt } from '../../../../tools/data-json-value.ts';
import { COUNT, countIn, Words } from '../../reading/words.ts';
import { fieldsOf } from '../../../../lib/fields.ts';
import { queryTableTool } from '../../../../tools/data-query.ts';
import type { Request, OfflineSkill, ToolRequest } from '../../skill.ts';
import { readList } from '../maths/lists.ts';
import { isJsonLike, readDataAsk, type DataAsk } from './material.ts';
import { recogniseQuery } from './query.ts';
import { formatData } from './format.ts';

/** Works on JSON and on tables. */
export const dataSkill: OfflineSkill = {
  needs: 'my data tools',
  summary: 'check and format JSON, turn CSV and JSON into tables, filter, sort, group and add up their rows',
  examples: `
    is this valid JSON? {"name": "Ana", "age": 30,} | format this json: {"b":1,"a":[1,2]} |
    get user.name from {"user": {"name": "Ana"}} |
    make a table from this csv:\nname,price\npear,2.50\napple,1.20 |
    what is the sum of the price column?\nname,price\npear,2.50\napple,1.20 |
    average price per city:\nname,price,city\npear,2.50,Rome\napple,1.20,Oslo\nfig,3.10,Rome |
    sort this table by price:\nname,price\npear,2.50\napple,1.20
  `,
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

const CHECK =
  'valid|validate|invalid|check|verify|lint|well[- ]?formed|broken|malformed|parses?|wrong with|errors?';
const MINIFY = 'minify|minified|compact|compress';
const INDENT = 'reformat|format|prettify|pretty[- ]?print|beautify|indent|tidy|nicely';
const SORT_KEYS =
  '(?:and )?(?:sort(?:ed)?|alphabeti[sz]e)(?: (?:the|its|by))? keys|(?:with )?(?:the )?keys sorted|(?:with )?sorted keys';
const SPACES = `(?:with|by|to|at)? ?(?<spaces>${COUNT})[- ]spaces?(?: indent(?:ation)?)?`;
const LOOK_UP =
  /^(?:(?:get|what(?:['’]?s| is| are)|show(?: me)?|read|find|give me|extract) )?(?:the )?(?:value )?(?:(?:of|at|for) )?(?:the )?(?:(?:key|field|path) )?(?<path>[$\w][\w$.[\]"'-]{0,200}?)(?: (?:in|from|of|out of)(?: (?:this|that|the|it|json|object|data|following))*)?[\s?.!:]*$/i;
const NOT_A_PATH = wordSet('this that it json the is a what here data value');

/** Recognises "is this valid JSON? {…}", "format this json", "get user.name from {…}". */
function recogniseJson({ words, data, previous }: DataAsk): ToolRequest | null {
  const isJson = isJsonLike(data);
  if (!isJson && (previous !== null || !/\bjson\b/i.test(words))) return null;
  const asked = new Words(words);
  const isNamed = asked.take('json') !== null;
  const done = (tool: string, more: Record<string, unknown> = {}): ToolRequest => {
    asked.takeAll('json|correct|whether|ok');
    const unused = asked.unused();
    return { tool, input: { text: data, ...more }, ...(unused !== null && { unused }) };
  };
  const sortKeys = asked.take(SORT_KEYS) !== null;
  const spaces = countIn(asked.take(SPACES)?.['spaces'], 0);
  if (spaces > 8) asked.refuse(`${spaces} spaces`);
  const how = { ...(sortKeys && { sortKeys }), ...(spaces >= 1 && { indent: spaces }) };
  const isLaidOut = asked.take(INDENT) !== null;
  if (!isLaidOut && !sortKeys && asked.take(CHECK) !== null && (isNamed || isJson)) return done('check_json');
  if (!isJson) return null;
  if (data.trimStart().startsWith('{') && asked.take('how many keys') !== null) return done('check_json');
  if (asked.take(MINIFY) !== null) return done('format_json', { style: 'minified', ...how });
  if (isLaidOut || sortKeys || (spaces > 0 && previous?.tool === 'format_json'))
    return done('format_json', how);
  return lookUp(words, data);
}

function lookUp(words: string, data: string): ToolRequest | null {
  const path = LOOK_UP.exec(words)?.groups?.['path'];
  const steps = path === undefined ? [] : stepsOfPath(path);
  if (path === undefined || steps.length === 0 || NOT_A_PATH.has(path.toLowerCase())) return null;
  const isPath = /[\w\]]\.[\w$[]|\w\[\d+\]/.test(path);
  return isPath || attempt(() => valueAt(parseJsonInput(data), steps).found) === true
    ? { tool: 'get_json_value', input: { text: data, path } }
    : null;
}
