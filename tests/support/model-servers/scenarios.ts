import type { Act, Answer, Asked } from './wire.ts';

/** Splits a text into the pieces a model would send it in. */
export const tokens = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

/** What fake models say. */
export const PLAIN_TEXT = 'Hello there, this is a plain reply.';
export const PARTIAL_TEXT = 'This is the beginning of';
export const REFUSAL_TEXT = 'I can’t help with that.';

const say = (text: string): Act => ({ kind: 'answer', text: tokens(text) });
const refuse = (status: number, message: string, headers?: Record<string, string>): Act => ({
  kind: 'refusal',
  status,
  message,
  ...(headers !== undefined && { headers }),
});
const calculate = (expression: string): { name: string; args: string } => ({
  name: 'calculate',
  args: JSON.stringify({ expression }),
});

/** The last is no JSON, which only formats with arguments as text can hold. */
export const ODD_ARGUMENTS = [
  '{"expression": "1+1", "decimals": 12345678901234567890}',
  '{"expression":"2+2","decimals":1.0,"more":{"e":1e3,"list":[0.10,-0.0]}}',
  '{"expression": "6*',
];

/** What a scenario gets besides the request: how many of its kind came before it. */
type Scenario = (asked: Asked, before: number) => Act;

/** What instructions of requests beside a chat's turns begin with. */
const SUMMING_UP = 'You write a summary of a conversation';
const NAMING = 'You name conversations';

/** Whether a request is one beside a chat's turns: for a summary, or for a name. */
export const isAside = ({ messages }: Asked, kind: 'summary' | 'title'): boolean =>
  messages.some(
    ({ role, text }) => role === 'system' && text.startsWith(kind === 'summary' ? SUMMING_UP : NAMING),
  );

/** What fake models call every conversation. */
export const FAKE_TITLE = 'Cats and their names';

/** A summary, or a name in the ways that models put it, when that is asked for; else what the model says. */
function asideOr(asked: Asked, answer: () => Act, aside?: Act): Act {
  const isTitle = isAside(asked, 'title');
  if (!isTitle && !isAside(asked, 'summary')) return answer();
  if (aside !== undefined) return aside;
  if (isTitle) return say(`<think>They talk of cats.</think>\n\n**Title:** "${FAKE_TITLE}."`);
  const text = asked.messages.at(-1)?.text ?? '';
  const kept = text.match(/SUMMED UP: .*|^Person: .{0,60}/gm) ?? [];
  return say(`SUMMED UP: ${kept.map((line) => line.replace('SUMMED UP: ', '')).join(' ')}`);
}

const lengthOf = ({ messages }: Asked): number =>
  messages.reduce((length, { text }) => length + text.length, 0);

const sayAll = (asked: Asked): Answer => {
  const all = asked.messages.map(({ role, text }) => `${role}: ${text}`).join(' | ');
  const tokens = { inputTokens: Math.ceil(lengthOf(asked) / 4), outputTokens: Math.ceil(all.length / 4) };
  return { kind: 'answer', text: all.match(/[\s\S]{1,400}/g) ?? [], tokens };
};

const FLOOD = Array.from({ length: 300 }, () => 'All work and no play. '.repeat(455).padEnd(10_010, '.'));

const BUSY = 'Rate limit reached for requests. Please try again later.';
const BROKEN = 'The server had an error while processing your request.';

/** How fake model servers behave, by name. */
export const SCENARIOS = {
  plain: () => say(PLAIN_TEXT),
  /** Tells the texts it got. */
  echo: ({ messages }) =>
    say(
      messages
        .filter(({ role }) => role !== 'system')
        .map(({ role, text }) => `${role}: ${text}`)
        .join(' | '),
    ),
  /** Tells all that it got, instructions too, and how much that is; sums up and names conversations when asked to. */
  context: (asked) => asideOr(asked, () => sayAll(asked)),
  /** The same, without ever telling how much it is. */
  'context-uncounted': (asked) => asideOr(asked, () => ({ ...sayAll(asked), isUncounted: true })),
  /** The same, but refuses anything longer than that many characters. */
  'context-of-3000': (asked) =>
    asideOr(asked, () =>
      lengthOf(asked) > 3_000
        ? refuse(400, "This model's maximum context length is 750 tokens. Reduce the length of the messages.")
        : sayAll(asked),
    ),
  /** Answers, and fails or is silent whenever it is asked for something beside. */
  'context-no-asides': (asked) => asideOr(asked, () => sayAll(asked), refuse(400, 'Not in the mood.')),
  'context-silent-asides': (asked) =>
    asideOr(asked, () => sayAll(asked), { kind: 'answer', instead: 'stall', firstAfterMs: 600_000 }),
  /** Takes a second to name a conversation, or to sum it up. */
  'slow-title': (asked) =>
    asideOr(asked, () => sayAll(asked), { kind: 'answer', text: [FAKE_TITLE], firstAfterMs: 1_000 }),
  /** Thinks for 5,000 tokens, and says so; or doesn't say how many of its tokens those were. */
  'long-thought': (asked) => ({
    ...sayAll(asked),
    reasoning: ['Well now. '],
    tokens: { inputTokens: 1_000, outputTokens: 5_010, reasoningTokens: 5_000, cachedTokens: 640 },
  }),
  'long-thought-untold': (asked) => ({
    ...sayAll(asked),
    reasoning: ['Well now. '],
    tokens: { inputTokens: 1_000, outputTokens: 5_010 },
  }),
  /** Asked to `misname`, calls a tool in a way that no server takes back; refuses what holds such a call. */
  'misnames-tools': ({ messages, toolResults, calls = [] }) => {
    const odd = calls.find(({ name, args }) => !/^[\w-]{1,64}$/.test(name) || !args.startsWith('{'));
    if (odd !== undefined) return refuse(400, `Invalid tool call: ${odd.name} ${odd.args}`);
    return messages.at(-1)?.text === 'misname' && toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'repo.calculate', args: '{"expression": "6*' }] }
      : say(PLAIN_TEXT);
  },
  /** Calls a tool, then answers with what it gave. */
  'tool-loop': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [calculate('6*7')] }
      : say(`The tool says ${toolResults.join(' and ')}`),
  /** Calls `show`, and then is content. */
  looks: ({ toolResults }) =>
    toolResults.length === 0 ? { kind: 'answer', calls: [{ name: 'show', args: '{}' }] } : say('I see.'),
  /** Reads a skill with the input that the message holds, and says what came of it. */
  'reads-skill': ({ messages, toolResults }) => {
    const [input] = /\{.*\}/.exec(messages.findLast(({ role }) => role === 'user')?.text ?? '') ?? [];
    return toolResults.length > 0 || input === undefined
      ? say(`Read: ${toolResults.join(' ')}`)
      : { kind: 'answer', calls: [{ name: 'read_skill', args: input }] };
  },
  /** Calls `big_output`, and reads on three times while there is more. */
  'reads-on': ({ toolResults }) => {
    if (toolResults.length === 0) return { kind: 'answer', calls: [{ name: 'big_output', args: '{}' }] };
    const more = /To read on: read_more (\{[^}]*\})/.exec(toolResults[0] ?? '')?.[1];
    const last = toolResults.at(-1) ?? '';
    const next = /"output":(\d+),"from":\d+,"to":(\d+),"of":(\d+)/.exec(last);
    if (toolResults.length > 3 || more === undefined) return say(`I have read it. ${last.length}`);
    const args = next === null ? more : `{"output":${next[1]},"from":${next[2]}}`;
    return { kind: 'answer', calls: [{ name: 'read_more', args }] };
  },
  /** Reads on in a file once, if there is more. */
  'reads-file': ({ messages, toolResults }) => {
    const text = messages.map((message) => message.text).join('\n');
    const more = /To read on: read_more (\{[^}]*\})/.exec(text)?.[1];
    return toolResults.length > 0 || more === undefined
      ? say('I have read it.')
      : { kind: 'answer', calls: [{ name: 'read_more', args: more }] };
  },
  /** Thinks in each of three rounds, with tools in the first two, and speaks in the first and the last. */
  'thinks-with-tools': ({ toolResults: { length } }) => ({
    kind: 'answer',
    reasoning: tokens(`Thought after ${length} results.`),
    ...(length === 0 && { text: ['First a sum.'], calls: [calculate('1+1')] }),
    ...(length === 1 && { calls: [calculate('2+2'), calculate('3+3')] }),
    ...(length > 1 && { text: ['All done.'] }),
  }),
  /** Thinks and calls a tool, and then breaks off, refuses, or says no more. */
  'tool-then-cut': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', reasoning: ['Hm.'], calls: [calculate('1+1')] }
      : { kind: 'answer', reasoning: ['So.'], text: tokens(PARTIAL_TEXT), instead: 'break' },
  'tool-then-refused': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', reasoning: ['Hm.'], text: [' \n'], calls: [calculate('1+1')] }
      : refuse(400, 'Not in the mood.'),
  'tool-then-silence': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', reasoning: ['Hm.'], calls: [calculate('1+1')] }
      : { kind: 'answer', instead: 'stall', firstAfterMs: 600_000 },
  /** Refuses whatever it is asked. */
  refused: () => refuse(400, 'Not in the mood.'),
  /** Calls a tool with arguments that no parser gives back as they are, and with some that none reads. */
  'odd-arguments': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: ODD_ARGUMENTS.map((args) => ({ name: 'calculate', args })) }
      : say(PLAIN_TEXT),
  /** Stores a note, then reports the result. */
  'remember-note': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'remember_note', args: '{"text":"Milk"}' }] }
      : say(`It says ${toolResults.join(' ')}`),
  'parallel-tools': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', text: ['Let me see.'], calls: [calculate('1+1'), calculate('10*10')] }
      : say(`The tools say ${toolResults.join(' and ')}`),
  reasoning: () => ({
    kind: 'answer',
    reasoning: tokens('They greet me, so I greet them.'),
    text: tokens(PLAIN_TEXT),
  }),
  'slow-reasoning': () => ({
    kind: 'answer',
    everyMs: 120,
    reasoning: tokens('They greet me, so I greet them.'),
    text: tokens(PLAIN_TEXT),
  }),
  /** Thinks for long before it answers. */
  'slow-first-token': () => ({ kind: 'answer', firstAfterMs: 1_500, text: tokens(PLAIN_TEXT) }),
  /** Takes its time with each piece: about 2,000 of them, 20 a second. */
  endless: () => ({
    kind: 'answer',
    everyMs: 50,
    text: Array.from({ length: 2_000 }, (_, index) => `word${index} `),
  }),
  /** Writes as fast as it can, three million characters and then without end. */
  floods: () => ({ kind: 'answer', text: FLOOD, instead: 'stall' }),
  'floods-thoughts': () => ({ kind: 'answer', reasoning: FLOOD, instead: 'stall' }),
  'floods-arguments': () => ({
    kind: 'answer',
    calls: [{ name: 'calculate', args: `{"expression":"${'1+'.repeat(1_500_000)}1` }],
    instead: 'stall',
  }),
  /** Accepts the request, and never answers. */
  silence: () => ({ kind: 'answer', instead: 'stall', firstAfterMs: 600_000 }),
  stall: () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), instead: 'stall' }),
  cut: () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), instead: 'break' }),
  truncated: () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), instead: 'truncate' }),
  'cut-before': () => ({ kind: 'hang_up' }),
  'cut-before-then-fine': (_, before) => (before === 0 ? { kind: 'hang_up' } : say(PLAIN_TEXT)),
  malformed: () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), instead: 'malform' }),
  /** Reports an error of its own in the middle of the stream. */
  'fault-midway': () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), instead: 'fault' }),
  /** The same, after it has been heard for a while. */
  'slow-fault': () => ({ kind: 'answer', everyMs: 60, text: tokens(PARTIAL_TEXT), instead: 'fault' }),
  /** Says that it took no tokens at all. */
  'counts-nothing': () => ({
    kind: 'answer',
    text: tokens(PLAIN_TEXT),
    tokens: { inputTokens: 0, outputTokens: 0 },
  }),
  /** Reports the error that the message holds as JSON: after a few words, or with `"atOnce":true` before any. */
  reports: ({ messages }) => {
    const { atOnce, ...report } = JSON.parse(messages.at(-1)?.text ?? '{}') as Record<string, unknown>;
    const text = atOnce === true ? [] : tokens(PARTIAL_TEXT);
    return { kind: 'answer', text, instead: 'fault', report };
  },
  'key-refused': () => refuse(401, 'Incorrect API key provided.'),
  'no-model': ({ model }) => refuse(404, `The model '${model}' does not exist.`),
  'busy-then-fine': (_, before) =>
    before === 0 ? refuse(429, BUSY, { 'retry-after': '1' }) : say(PLAIN_TEXT),
  busy: () => refuse(429, BUSY, { 'retry-after': '1' }),
  /** Asks for far more patience than anybody has. */
  'busy-for-long': () => refuse(429, BUSY, { 'retry-after': '3600' }),
  'fails-thrice': (_, before) => (before < 3 ? refuse(500, BROKEN) : say(PLAIN_TEXT)),
  'fails-then-fine': (_, before) => (before === 0 ? refuse(500, BROKEN) : say(PLAIN_TEXT)),
  overloaded: () => refuse(529, 'Overloaded'),
  empty: () => ({ kind: 'answer' }),
  /** A filter takes offence at what the model writes, or at what it was asked. */
  filtered: () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), isFiltered: true }),
  declines: () => ({ kind: 'answer', refusal: tokens(REFUSAL_TEXT) }),
  'filters-prompt': () =>
    refuse(400, 'The response was filtered due to the prompt triggering our content management policy.'),
  'over-long': () => ({ kind: 'answer', text: tokens(PARTIAL_TEXT), isCut: true }),
  'context-too-long': () =>
    refuse(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    ),
  /** Makes a file with Codex's tool, and says so. */
  codex: ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'exec_command', args: '{"cmd":"echo hi > hello.txt"}' }] }
      : say('The file is there.'),
  /** The same with opencode's. */
  opencode: ({ toolResults }) =>
    toolResults.length === 0
      ? {
          kind: 'answer',
          calls: [{ name: 'bash', args: '{"command":"echo hi > hello.txt","description":"Make a file"}' }],
        }
      : say('The file is there.'),
  /** Calls each tool that it is offered, with a text for those that take one. */
  'calls-all': ({ tools }) => ({
    kind: 'answer',
    calls: tools.map((name) => ({
      name,
      args: JSON.stringify(name === 'patch' ? { input: 'say "hi"\n\u{1f600}' } : {}),
    })),
  }),
  'wrong-arguments': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'calculate', args: '{"sum":"6*7"}' }] }
      : say(`It went wrong: ${toolResults.join(' ')}`),
  'broken-arguments': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'calculate', args: '{"expression": "6*' }] }
      : say(`It went wrong: ${toolResults.join(' ')}`),
  'unknown-tool': ({ toolResults }) =>
    toolResults.length === 0
      ? { kind: 'answer', calls: [{ name: 'launch_rocket', args: '{"to":"moon"}' }] }
      : say(`It went wrong: ${toolResults.join(' ')}`),
  'endless-tools': ({ toolResults }) => ({
    kind: 'answer',
    calls: [calculate(`${toolResults.length}+1`)],
  }),
  /** Refuses a request that offers tools. */
  'no-tools': ({ model, tools }) =>
    tools.length > 0 ? refuse(400, `${model} does not support tools`) : say(PLAIN_TEXT),
} satisfies Record<string, Scenario>;

/** A name in {@link SCENARIOS}. */
export type ScenarioName = keyof typeof SCENARIOS;

const isScenario = (name: string | undefined): name is ScenarioName =>
  name !== undefined && Object.hasOwn(SCENARIOS, name);

/** The scenario a request is for: named in the last user message (`scenario: stall`), or else the server's. */
export function scenarioFor({ messages }: Asked, otherwise: ScenarioName): ScenarioName {
  const last = messages.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '';
  // Messages in a row come as one.
  const named = [...last.matchAll(/\bscenario: ?([a-z-]+)/g)].at(-1)?.[1];
  return isScenario(named) ? named : otherwise;
}

/** The fake model's answer to a request, after that many of the same scenario. */
export function actFor(name: ScenarioName, asked: Asked, before: number): Act {
  const scenario: Scenario = SCENARIOS[name];
  return scenario(asked, before);
}
