import type { ReadyRehearsal } from '../../../shared/models.ts';

/** A script that comes with Parley. */
export interface ReadyScript {
  title: string;
  /** What it shows, in one sentence. */
  description: string;
  /** A user message that fits the script. */
  prompt: string;
  /** One part, so that it plays from its beginning at any place in a chat. */
  script: string;
}

export const READY_SCRIPTS: Readonly<Record<ReadyRehearsal, ReadyScript>> = {
  formatting: {
    title: 'Rich text',
    description: 'Headings, lists, a table, code, a quotation and a formula.',
    prompt: 'What can a reply look like?',
    script: `::speed 60
## What a reply can hold

Words that are **strong**, *stressed* or \`code\`, and [links](https://example.com).

1. First this,
2. then that
   - with a remark.

| Fruit  | Each | In all |
| ------ | ---: | -----: |
| Apples | 0.40 |   4.80 |
| Pears  | 0.55 |   3.30 |

~~~python
def total(prices: list[float]) -> float:
    return round(sum(prices), 2)
~~~

> A quotation stands by itself.

And a formula: $a^2 + b^2 = c^2$.
::usage 24 150
`,
  },
  thinking: {
    title: 'Thinking first',
    description: 'A model that reasons for a few seconds before it answers.',
    prompt: 'A bat and a ball cost 1.10 together, the bat 1.00 more than the ball. What does the ball cost?',
    script: `::speed 40
::think
The quick answer is 0.10, but then the bat would cost 1.10, and both together 1.20. Let the ball cost x. The bat costs
x + 1.00, so 2x + 1.00 = 1.10, and x is 0.05. Check: 0.05 and 1.05 are 1.10, and differ by 1.00.
::end
The ball costs **0.05**. The bat is then 1.05: together 1.10, and 1.00 apart.
::usage 38 96
`,
  },
  tools: {
    title: 'Tools at work',
    description: 'Text and tool calls in turns: two at once, then one that builds on them.',
    prompt: 'Work out the diagonal of a square of 1,000 metres, and its area.',
    script: `::speed 60
I’ll work out both at once.
::tool calculate {"expression":"sqrt(2) * 1000"}
::tool calculate {"expression":"1000^2"}
The diagonal is about 1,414.2 metres and the area 1,000,000 square metres. Now in miles:
::tool convert_units {"quantity":"1414.2 m","to":"miles"}
That is a little under nine tenths of a mile. Open a step to see what its tool was given, and what it gave.
::usage 210 74
`,
  },
  approval: {
    title: 'A question to you',
    description: 'A tool that asks before it does something, and goes on after your answer.',
    prompt: 'Paint the fence, please.',
    script: `::speed 60
I can do that. It changes something, so I ask first.
::approve Paint the fence green? Nothing comes of it, whatever you answer.
You answered, and I went on. A no is told to the model as well, as a failure in words.
::usage 120 40
`,
  },
  failure: {
    title: 'A reply that fails',
    description: 'Some text, and then an error of the model that says what went wrong.',
    prompt: 'Tell me how it ends.',
    script: `::speed 60
It went well at first, and then
::pause 500ms
::fail model_overloaded The model’s server was too busy. This is a rehearsal: retrying fails again.
`,
  },
  'lost-connection': {
    title: 'A lost connection',
    description: 'The reply breaks off in the middle of a sentence.',
    prompt: 'Read me the long letter.',
    script: `::speed 60
Dear friend, it is a while since we spoke, and much has happened since. The first thing you should know is that
::cut
`,
  },
  'length-limit': {
    title: 'A length limit',
    description: 'The reply is cut off where the model’s limit is reached.',
    prompt: 'Count the days of the week.',
    script: `::speed 60
Monday, Tuesday, Wednesday, Thursday,
::usage 20 8
::length
`,
  },
  long: {
    title: 'A long reply',
    description: 'Text that streams for half a minute: time to stop it, or to send more messages that wait.',
    prompt: 'Tell me about the sea.',
    script: `::speed 20
${[
  'The sea covers most of the planet, and we have seen little of its floor. Its surface is the part that moves as we watch.',
  'Waves are made by wind far away. They cross whole oceans and lose little on the way, until the ground rises under them.',
  'The tides follow the moon, twice a day on most coasts, and the shape of a bay decides whether that is a hand or a house.',
  'Below two hundred metres hardly any light is left. What lives there makes its own, to find, to lure and to warn.',
  'Currents carry warmth from the equator to the poles. Without them, harbours in the north would freeze each winter.',
  'And it is loud down there: whales are heard across a thousand miles, and so are we.',
].join('\n\n')}
::usage 16 190
`,
  },
};
