import type { Skill } from '../skill.ts';

export const datesSkill: Skill = {
  name: 'dates',
  summary: 'dates',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
