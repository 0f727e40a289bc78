import { expect, test } from 'vitest';
import { SKILLS } from '../../../../../server/models/offline/skills/index.ts';
import type { Request } from '../../../../../server/models/offline/skill.ts';

const request = (text: string, history: Request['history'] = []): Request => ({
  text,
  material: null,
  message: text,
  history,
  now: new Date('2026-11-20T09:00:00Z'),
  timeZone: 'UTC',
});

/** What a chat may hold that came from elsewhere, under the names of our tools. */
const ODD_OUTPUTS = [
  null,
  'text',
  7,
  [],
  {},
  { truncated: 'Cut short.', preview: '{' },
  { to: 'x', days: '3' },
];

test.each(ODD_OUTPUTS)('an output like %j is told, and read, without a fault', (output) => {
  for (const skill of SKILLS) {
    for (const tool of skill.tools) {
      expect(skill.format(tool, {}, output, request('?')), tool).toBeTypeOf('string');
      const step = { id: '1', tool, input: {}, output, status: 'done' as const };
      const history = [{ question: '?', answer: '?', steps: [step as Request['history'][0]['steps'][0]] }];
      for (const text of [
        'double it',
        'the second one',
        'forget that',
        'forget what I just said',
        'and in feet?',
      ])
        expect(() => skill.parse(request(text, history)), `${text} after ${tool}`).not.toThrow();
    }
  }
});
