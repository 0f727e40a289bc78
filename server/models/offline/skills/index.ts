import {
  DATA_TOOLS,
  DATE_TOOLS,
  ENCODING_TOOLS,
  MATHS_TOOLS,
  NOTE_TOOLS,
  TEXT_TOOLS,
} from '../../../tools/index.ts';
import { searchMessages } from '../../../tools/search.ts';
import type { Skill } from '../skill.ts';
import { dataSkill } from './data.ts';
import { datesSkill } from './dates.ts';
import { encodingSkill } from './encoding.ts';
import { mathsSkill } from './maths.ts';
import { notesSkill } from './notes.ts';
import { searchSkill } from './search.ts';
import { textSkill } from './text.ts';
import { unitsSkill } from './units.ts';

/** All skills, in the order of the help text. Where two are equally sure of a request, the earlier one has it. */
export const SKILLS: readonly Skill[] = [
  mathsSkill,
  unitsSkill,
  datesSkill,
  textSkill,
  dataSkill,
  encodingSkill,
  notesSkill,
  searchSkill,
];

const names = (tools: readonly { name: string }[]): string[] => tools.map((tool) => tool.name);

/** The tools each skill calls: whose turn a follow-up is, and by whom, being the first, a tool's result is told. */
const TOOLS_OF_SKILLS: readonly (readonly [Skill, readonly string[]])[] = [
  [unitsSkill, ['convert_units']],
  [mathsSkill, names(MATHS_TOOLS)],
  [unitsSkill, ['calculate']],
  [datesSkill, names(DATE_TOOLS)],
  [textSkill, names(TEXT_TOOLS)],
  [dataSkill, names(DATA_TOOLS)],
  [encodingSkill, names(ENCODING_TOOLS)],
  [notesSkill, names(NOTE_TOOLS)],
  [searchSkill, names([searchMessages])],
];

/** Skills that call a tool of this name; none for a tool of another model. */
export function skillsOfTool(tool: string): Skill[] {
  return TOOLS_OF_SKILLS.filter(([, tools]) => tools.includes(tool)).map(([skill]) => skill);
}
