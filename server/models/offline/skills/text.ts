import type { Skill } from '../skill.ts';

export const textSkill: Skill = {
  name: 'text',
  summary: 'text',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
