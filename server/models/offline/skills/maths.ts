import type { Skill } from '../skill.ts';

export const mathsSkill: Skill = {
  name: 'maths',
  summary: 'maths',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
