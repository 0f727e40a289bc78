import { DATA_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { recogniseJson } from './json.ts';
import { readDataAsks } from './material.ts';
import { recogniseQuery } from './query.ts';
import { recogniseTable } from './table.ts';
import { tellData } from './tells.ts';

/** Words without which nothing is asked about data; spares looking for a table in every message. */
const HINT =
  /json|csv|tsv|table|column|row|valid|format|prett|minif|compact|indent|beautif|tidy|sort|order|rank|arrange|sum|total|average|mean|avg|median|min|max|lowest|highest|smallest|largest|biggest|cheapest|expensive|stat|describe|add|keys?|field|value|get|what|show|read|find|how many|count|number|record|by |desc|asc|figure|spaces|wrong|check|error|markdown|display|parse|tabulate|extract|pick|look|give|how (?:much|old|tall)|print|top|first|list|where|who|which|only|except|most|least|old|young|over|under|above|below|after|before|than|per |each|starts?|contain|[<>=≥≤]|\bin |\bof |\bfor |[\w\]][.[][\w$]/i;

/** Works on JSON and on tables. */
export const dataSkill: Skill = {
  name: 'data',
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
  mayPassOver: true,
  reads: recognise,
  tells: tellData,
};

function recognise(request: Request): Wish | null {
  if (!HINT.test(request.text.slice(0, 600) + request.text.slice(-300))) return null;
  for (const ask of readDataAsks(request)) {
    const intent = recogniseQuery(ask) ?? recogniseJson(ask) ?? recogniseTable(ask);
    if (intent !== null) return intent;
  }
  return null;
}
