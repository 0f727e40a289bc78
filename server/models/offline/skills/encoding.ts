import type { Skill } from '../skill.ts';

export const encodingSkill: Skill = {
  name: 'encoding',
  summary: 'encoding',
  examples: [],
  recognise: () => null,
  tell: () => '',
};
