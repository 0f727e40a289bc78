import type { Skill } from '../skill.ts';

export const dataSkill: Skill = {
  name: 'data',
  summary: 'data',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
