import type { Intent, Request, Skill } from '../skill.ts';
import { bestIntent, readAsks, type Ask } from './text-ask.ts';
import { recogniseCase } from './text-change.ts';
import { recogniseCount, recogniseExtract, recogniseSummary } from './text-count.ts';
import { recogniseLayout } from './text-layout.ts';
import { recogniseDeduplicate, recogniseReverse, recogniseSort } from './text-lists.ts';
import { recogniseReplace } from './text-replace.ts';
import { tellText } from './text-tell.ts';

const RECOGNISERS: readonly ((ask: Ask) => Intent | null)[] = [
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
  mayPassOver: true,
  recognise: (request: Request) => bestIntent(readAsks(request), RECOGNISERS),
  tell: tellText,
};
