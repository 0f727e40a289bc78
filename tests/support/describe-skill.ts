import { describe, expect, it } from 'vitest';
import { converse, recognise } from './skills.ts';

/** Phrase, tool, its input, and what is told of the result. */
export type SkillPhrase = [string, string, Record<string, unknown>, string];

/** Exchanges of one conversation: what is asked, and what is told. */
export type SkillConversation = [string, string][];

/** What every skill about figures is held to: phrases are understood and told, conversations are kept to. */
export function describeSkill(
  name: string,
  phrases: readonly SkillPhrase[],
  conversations: readonly SkillConversation[],
): void {
  describe(`the ${name} skill`, () => {
    it.each(phrases)('understands "%s"', async (phrase, tool, input, answer) => {
      const found = recognise(phrase);
      expect(found?.skill.name).toBe(name);
      expect(found?.wish).toMatchObject({ tool, input });
      expect(Object.keys(found?.wish.input ?? {})).toEqual(Object.keys(input));
      expect(await converse(phrase)).toEqual([answer]);
    });

    it.each(conversations.map((exchanges) => ({ first: exchanges[0]?.[0] ?? '', exchanges })))(
      'keeps to the conversation after "$first"',
      async ({ exchanges }) => {
        expect(await converse(...exchanges.map(([phrase]) => phrase))).toEqual(
          exchanges.map(([, answer]) => answer),
        );
      },
    );
  });
}
