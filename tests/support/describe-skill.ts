import { describe, expect, it } from 'vitest';
import { converse, recognise } from './skills.ts';

/**
 * Common tests of every skill about figures; `needs` names the skill. Each line of `said` is a question, ` => `, and the answer;
 * a line that starts with `>> ` continues the conversation of the line before.
 */
export function describeSkill(needs: string, said: string): void {
  const conversations: [asked: string, told: string][][] = [];
  for (const line of said.trim().split('\n')) {
    const [asked = '', told = ''] = line.split(' => ');
    const exchange: [string, string] = [asked.replace(/^>> /, ''), told.replaceAll('\\n', '\n')];
    if (asked.startsWith('>> ')) conversations.at(-1)?.push(exchange);
    else conversations.push([exchange]);
  }
  describe(`the skill that works with ${needs}`, () => {
    it.each(conversations.map((exchanges) => [exchanges.map(([asked]) => asked), exchanges] as const))(
      'understands %j',
      async ([first = '', ...others], exchanges) => {
        expect(recognise(first)?.skill.needs).toBe(needs);
        expect(await converse(first, ...others)).toEqual(exchanges.map(([, told]) => told));
      },
    );
  });
}
