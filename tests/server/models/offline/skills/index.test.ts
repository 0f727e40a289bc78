import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../../../../server/models/offline/reading/rules.ts';
import { SKILLS, skillsOfTool } from '../../../../../server/models/offline/skills/index.ts';
import { ALL_TOOLS } from '../../../../../server/tools/index.ts';
import { startConversation } from '../../../../support/converse.ts';

/** Examples that speak of something noted or said before. */
const NEEDS_NOTE = /^(?:what do you know|forget)/;

const EXAMPLES = SKILLS.flatMap((skill) =>
  entriesOf(skill.examples).map((example) => [skill.needs, example] as const),
);

test('every tool has a skill that speaks for it', () => {
  expect(ALL_TOOLS.filter((tool) => skillsOfTool(tool.name).length === 0).map((tool) => tool.name)).toEqual(
    [],
  );
  expect(skillsOfTool('no_such_tool')).toEqual([]);
});

describe('what the help text promises works, alone and beside another ask', () => {
  test.each(EXAMPLES)('%s: %s', async (needs, example) => {
    const conversation = startConversation();
    if (NEEDS_NOTE.test(example)) await conversation.say('remember that the spare key is with Ana');
    const { tools, outputs, text } = await conversation.say(example);
    expect(tools).toHaveLength(1);
    expect(skillsOfTool(tools[0] ?? '').map((skill) => skill.needs)).toContain(needs);
    expect(outputs[0]).not.toMatchObject({ type: 'error-text' });
    expect(text.trim()).not.toBe('');

    if (example.includes('\n')) return;
    const both = await startConversation().say(`1. ${example}\n2. what is 6 * 7?`);
    expect(both.tools).toEqual([...tools, 'calculate']);
    expect(both.text).toContain('42');
  });
});
