import type { OfflineSkill, SkillReply } from '../skill.ts';
import { dataSkill } from './data/index.ts';
import { datesSkill } from './dates/index.ts';
import { encodingSkill } from './encoding/index.ts';
import { createHelp } from './help.ts';
import { mathsSkill } from './maths/index.ts';
import { notesSkill } from './notes/index.ts';
import { numerals } from './numerals.ts';
import { recall } from './recall.ts';
import { recipes } from './recipes.ts';
import { searchSkill } from './search.ts';
import { smallTalk } from './small-talk.ts';
import { textSkill } from './text/index.ts';
import { unitsSkill } from './units.ts';

/** The skills with a tool, in the order of the help text. */
export const SKILLS: readonly OfflineSkill[] = [
  mathsSkill, unitsSkill, datesSkill, textSkill, dataSkill, encodingSkill, notesSkill, searchSkill,
]; // oxfmt-ignore

/** All, in the order in which a request is put to them: what reads its requests by the narrowest forms is asked before what reads wider ones. */
export const ORDER: readonly (OfflineSkill | SkillReply)[] = [
  createHelp(SKILLS), numerals, recipes, datesSkill, unitsSkill, mathsSkill, dataSkill, textSkill, encodingSkill,
  notesSkill, recall, searchSkill, smallTalk,
]; // oxfmt-ignore

/** Skills that format results of the tool with this name; none for a tool that isn’t ours. */
export const skillsOfTool = (tool: string): OfflineSkill[] =>
  SKILLS.filter(({ tools }) => tools.includes(tool));
