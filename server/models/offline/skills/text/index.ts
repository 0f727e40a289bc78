import { TEXT_TOOLS } from '../../../../tools/index.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { firstWish, readAsks, type Ask } from '../../reading/ask.ts';
import { recogniseCase } from './change.ts';
import { recogniseCount, recogniseExtract, recogniseSummary } from './count.ts';
import { recogniseLayout } from './layout.ts';
import { recogniseDeduplicate, recogniseReverse, recogniseSort } from './lists.ts';
import { recogniseReplace } from './replace.ts';
import { tellText } from './tells.ts';

const RECOGNISERS: readonly ((ask: Ask) => Wish | null)[] = [
  recogniseCount,
  recogniseSummary,
  recogniseExtract,
  recogniseDeduplicate,
  recogniseSort,
  recogniseCase,
  recogniseLayout,
  recogniseReplace,
  recogniseReverse,
];

/** Works on the text a message holds. */
export const textSkill: Skill = {
  name: 'text',
  summary: 'work on text: count, summarise, sort, tidy, change case, replace, pull out addresses and links',
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
  mayPassOver: true,
  reads: (request: Request) => firstWish(readAsks(request), RECOGNISERS),
  tells: tellText,
};
