import type { Skill } from '../skill.ts';

export const unitsSkill: Skill = {
  name: 'units',
  summary: 'units',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
