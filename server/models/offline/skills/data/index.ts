import { DATA_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { recogniseJson } from './json.ts';
import { readDataAsks } from './material.ts';
import { recogniseQuery } from './query.ts';
import { recogniseTable } from './table.ts';
import { tellData } from './tells.ts';

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
  for (const ask of readDataAsks(request)) {
    const intent = recogniseQuery(ask) ?? recogniseJson(ask) ?? recogniseTable(ask);
    if (intent !== null) return intent;
  }
  return null;
}
