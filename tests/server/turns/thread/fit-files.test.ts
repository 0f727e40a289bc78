/** Files of messages in requests that are made to fit. */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { answerRoom } from '../../../../server/agents/limits.ts';
import { messageTokens } from '../../../../server/models/request-size.ts';
import { RECORDS } from '../../../../server/connections/providers/index.ts';
import { markFile } from '../../../../server/models/file-parts.ts';
import { toServerMessages } from '../../../../server/models/request-messages.ts';
import { fitRequest, type FittedRequest } from '../../../../server/turns/thread/fit-request.ts';

type UserContent = Extract<LanguageModelV4Prompt[number], { role: 'user' }>['content'];

const picture = (): UserContent => [
  { type: 'text', text: '[Picture: dot.png]' },
  { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
];
const file = (text: string, name = 'notes.txt'): UserContent => [
  {
    type: 'text',
    text,
    providerOptions: markFile({ name, mediaType: 'text/plain', isCut: false, reason: null }),
  },
];
const user = (...content: UserContent[]): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: content.flat(),
});
const said = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const words = (text: string): UserContent => [{ type: 'text', text }];

const READ_MORE = { type: 'function' as const, name: 'read_more', inputSchema: {} };
/** As a server gets it. */
function fit(prompt: LanguageModelV4Prompt, limit: number): FittedRequest {
  const fitted = fitRequest({ prompt, tools: [READ_MORE] }, { limit, instructions: 0, scale: 1 });
  const rules = {
    ...RECORDS.openai.rules,
    hasNoSystem: false,
    hasNoTools: false,
    needsJson: false,
    hasNoPictures: false,
  };
  return {
    ...fitted,
    options: { ...fitted.options, prompt: toServerMessages(fitted.options.prompt, rules) },
  };
}
/** The texts of a prompt that was made to fit, and how many tokens are left beside the answer's. */
function roomOf(prompt: LanguageModelV4Prompt, limit: number): { text: string; left: number } {
  const fitted = fit(prompt, limit);
  const taken = fitted.options.prompt.reduce((sum, message) => sum + messageTokens(message), 0);
  return { text: textIn(fitted), left: limit - answerRoom(limit) - taken };
}
const textIn = ({ options }: FittedRequest): string => JSON.stringify(options.prompt);
const picturesIn = (fitted: FittedRequest): number => textIn(fitted).split('"type":"file"').length - 1;

it('what fits goes as it is, with files set apart in one text', () => {
  const { options } = fit([user(picture(), file('Buy milk'), words('What is it?'))], 10_000);
  expect(options.prompt).toEqual([
    user(picture(), words('<file name="notes.txt" type="text/plain">\nBuy milk\n</file>\n\nWhat is it?')),
  ]);
});

it('pictures of earlier messages give way first, with a word; those of the message to answer stay', () => {
  const prompt = [
    user(picture(), picture(), words('Look')),
    said('Nice.'),
    user(picture(), words('And this?')),
  ];
  expect(picturesIn(fit(prompt, 10_000))).toBe(3);
  const fitted = fit(prompt, 5_000);
  expect(picturesIn(fitted)).toBe(1);
  expect(textIn(fitted)).toContain('[This picture is left out: there is no room for it.]');
});

it('of too many pictures in one message the first are sent', () => {
  const fitted = fit([user(picture(), picture(), picture(), picture(), words('Compare'))], 5_000);
  expect(picturesIn(fitted)).toBe(2);
});

it('files of earlier messages are cut before those of the message to answer, and read_more counts them all', () => {
  const prompt = [
    user(file('old '.repeat(2_000)), words('Read')),
    said('Yes.'),
    user(file('new '.repeat(2_000)), words('Compare')),
  ];
  const fitted = fit(prompt, 3_600);
  const [, old = '', fresh = ''] = /(old [\s\S]*?)(new [\s\S]*)/.exec(textIn(fitted)) ?? [];
  expect(old).toContain('To read on: read_more {\\"output\\":1,');
  expect(old.length).toBeLessThan(1_500);
  expect(fresh).not.toContain('read_more');
  expect(fitted.outputs.map((text) => text.slice(0, 3))).toEqual(['old', 'new']);
  expect(fitted.options.tools?.map(({ name }) => name)).toEqual(['read_more']);
});

it('a file beside pictures takes the room that they leave', () => {
  const { text, left } = roomOf(
    [user(picture(), picture(), file('long '.repeat(10_000)), words('Read'))],
    8_192,
  );
  expect(text.match(/long /g)?.length).toBeGreaterThan(1_500);
  expect(left).toBeLessThan(300);
});

it('a file stays as it was sent first while the chat goes on, and gives way by halves', () => {
  const asked = user(file('long '.repeat(10_000)), words('Read'));
  const wordsAfter = (spoken: number): number => {
    const later = spoken === 0 ? [] : [said('word '.repeat(spoken)), user(words('And then?'))];
    const { text, left } = roomOf([asked, ...later], 4_096);
    expect(left).toBeGreaterThanOrEqual(0);
    return text.match(/long /g)?.length ?? 0;
  };
  const first = wordsAfter(0);
  expect(first).toBeGreaterThan(1_300);
  expect([10, 100, 500].map(wordsAfter)).toEqual([first, first, first]);
  const half = wordsAfter(900);
  expect(half / first).toBeCloseTo(0.5, 1);
  expect(wordsAfter(1_000)).toBe(half);
  expect(wordsAfter(1_900)).toBeLessThan(half / 2);
});

it('several files share the room, and small ones stay whole', () => {
  const prompt = [
    user(
      file('big '.repeat(20_000), 'big.txt'),
      file('small', 'small.txt'),
      file('wide '.repeat(20_000), 'wide.txt'),
      words('Compare'),
    ),
  ];
  const text = textIn(fit(prompt, 8_000));
  expect(text).toContain('small\\n</file>');
  expect(text).toContain('read_more {\\"output\\":1,');
  expect(text).toContain('read_more {\\"output\\":3,');
  expect(text.length / 3.5).toBeLessThan(6_000);
});

it('what was read only in part says so', () => {
  const providerOptions = markFile({ name: 'a.txt', mediaType: 'text/plain', isCut: true, reason: null });
  const fitted = fit([user([{ type: 'text', text: 'Once', providerOptions }], words('Read'))], 8_000);
  expect(textIn(fitted)).toContain('Once\\n[The file goes on: only so much of it was read.]\\n</file>');
});
