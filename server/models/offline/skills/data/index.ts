import { DATA_TOOLS } from '../../../../tools/index.ts';
import type { Skill } from '../../skill.ts';
import { recogniseJson } from './json.ts';
import { readDataAsk } from './material.ts';
import { recogniseQuery } from './query.ts';
import { tellData } from './tells.ts';

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
  reads(request) {
    const ask = readDataAsk(request);
    if (ask === null) return null;
    const json = recogniseJson(ask);
    const table = json !== null && json.unused === undefined ? null : recogniseQuery(ask);
    return table !== null && (json === null || table.unused === undefined) ? table : json;
  },
  tells: tellData,
};
