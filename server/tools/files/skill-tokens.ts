import { BYTES_A_TOKEN } from '../../../shared/estimate-tokens.ts';

/** What a skill is in the list that models get. */
export const skillLine = ({ name, description }: { name: string; description: string }): string =>
  `- ${name}: ${description}`;

/** Estimated tokens of that. */
export const skillTokens = (skill: { name: string; description: string }): number =>
  textTokens(skillLine(skill));

/** Estimated tokens of a text. */
export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);
