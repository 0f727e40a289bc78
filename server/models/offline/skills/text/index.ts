import { TEXT_TOOLS } from '../../../../tools/index.ts';
import { readOrders } from '../../reading/orders.ts';
import type { Skill } from '../../skill.ts';
import { readFind } from './find.ts';
import { ORDERS } from './orders.ts';
import { tellText } from './tells.ts';

/** Works on the text a message holds. */
export const textSkill: Skill = {
  name: 'text',
  summary: 'work on text: count, summarise, sort, tidy, change case, pull out addresses and links',
  examples: [
    'how many words are in "the quick brown fox"?',
    'sort 3, 1, 2 descending',
    'remove duplicates from: pear, apple, pear',
    'title case "the lord of the rings"',
    'extract all emails from: ana@example.com and bo@example.org',
    'turn this into a bullet list: milk, bread, eggs',
    'replace cat with dog in: the cat sat',
  ],
  tools: TEXT_TOOLS.map(({ name }) => name),
  reads: (request) => readFind(request) ?? readOrders(ORDERS, request),
  tells: tellText,
};
