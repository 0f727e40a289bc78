/**
 * What the strictest servers of each kind refuse in the messages of a request: the rules of OpenAI's, Anthropic's,
 * Google's and Mistral's APIs, and of the chat templates of Gemma, Mistral and DeepSeek.
 */
import { isRecord, recordsIn, textOf, type Json } from './wire.ts';
import type { WireName } from './model-server.ts';

/** Why a server refuses a request; null: it takes it. */
export type Rules = (body: Json) => string | null;

const first = (...checks: (() => string | null | false | undefined)[]): string | null => {
  for (const check of checks) {
    const found = check();
    if (typeof found === 'string') return found;
  }
  return null;
};

/** The reason for the first item that has one. */
function firstOf<T>(items: readonly T[], check: (item: T, at: number) => string | null): string | null {
  for (const [at, item] of items.entries()) {
    const found = check(item, at);
    if (found !== null) return found;
  }
  return null;
}

const roleOf = ({ role }: Json): string => textOf(role);
const callsOf = (message: Json | undefined): Json[] => recordsIn(message?.['tool_calls']);

/** Each call has its result directly behind it, and each result its call. */
function pairing(messages: readonly Json[]): string | null {
  return firstOf(messages, (message, at) => {
    const ids = callsOf(message).map(({ id }) => textOf(id));
    const results: string[] = [];
    for (let next = at + 1; roleOf(messages[next] ?? {}) === 'tool'; next += 1)
      results.push(textOf(messages[next]?.['tool_call_id']));
    if (ids.length > 0 && [...ids].sort().join() !== [...results].sort().join())
      return `messages[${at}]: 'tool_calls' must be followed by messages that respond to each 'tool_call_id'`;
    const isOrphan =
      roleOf(message) === 'tool' && !/^(?:tool|assistant)$/.test(roleOf(messages[at - 1] ?? {}));
    return isOrphan ? `messages[${at}]: role 'tool' must follow 'tool_calls'` : null;
  });
}

/** One system message at the start, then users and assistants in turn, with results of tools between. */
function turns(messages: readonly Json[]): string | null {
  const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
    '': ['system', 'user'],
    system: ['user'],
    user: ['assistant'],
    assistant: ['user', 'tool'],
    tool: ['tool', 'assistant'],
  };
  return firstOf(messages, (message, at) => {
    const before = at === 0 ? '' : roleOf(messages[at - 1] ?? {});
    return FOLLOWS[before]?.includes(roleOf(message)) === true
      ? null
      : `Unexpected role '${roleOf(message)}' after role '${before}'`;
  });
}

/** No message and no part of one is empty. */
function texts(messages: readonly Json[]): string | null {
  return firstOf(messages, ({ content, tool_calls: calls }, at) => {
    const parts = Array.isArray(content) ? recordsIn(content) : [{ type: 'text', text: content }];
    const isEmpty =
      parts.length === 0 || parts.some(({ type, text }) => type === 'text' && textOf(text).trim() === '');
    return isEmpty && !(calls !== undefined && (content === null || content === ''))
      ? `messages[${at}]: text must contain non-whitespace text`
      : null;
  });
}

/** Arguments are JSON objects, unless a model wrote others. */
const argumentsIn = (messages: readonly Json[]): Json[] =>
  messages.flatMap((message) =>
    callsOf(message).flatMap(({ function: called }) => (isRecord(called) ? [called] : [])),
  );

const chat =
  (...more: ((messages: readonly Json[], body: Json) => string | null)[]): Rules =>
  (body) => {
    const messages = recordsIn(body['messages']);
    return first(
      () => turns(messages),
      () => pairing(messages),
      () => texts(messages),
      () => roleOf(messages.at(-1) ?? {}) === 'assistant' && 'Expected last role User or Tool',
      ...more.map((check) => () => check(messages, body)),
    );
  };

/** In thinking mode, what was thought before a call of a tool comes back, and before what was said after its result. */
function thoughtsWithTools(messages: readonly Json[]): string | null {
  return firstOf(messages, (message, at) => {
    const isOfTools = callsOf(message).length > 0 || roleOf(messages[at - 1] ?? {}) === 'tool';
    return roleOf(message) === 'assistant' && isOfTools && textOf(message['reasoning_content']) === ''
      ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
      : null;
  });
}

const noThoughts = (messages: readonly Json[]): string | null =>
  messages.some((message) => 'reasoning_content' in message)
    ? "property 'reasoning_content' is unsupported"
    : null;

const shortIds = (messages: readonly Json[]): string | null =>
  messages.flatMap(callsOf).some(({ id }) => !/^[A-Za-z0-9]{9}$/.test(textOf(id)))
    ? 'Tool call id has to be defined, must be a-z, A-Z, 0-9, with a length of 9.'
    : null;

const objectArguments = (messages: readonly Json[]): string | null =>
  argumentsIn(messages).some(({ arguments: input }) => !isRecord(input))
    ? 'json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments'
    : null;

function anthropic(body: Json): string | null {
  const messages = recordsIn(body['messages']).map(({ role, content }) => ({
    role: textOf(role),
    blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : recordsIn(content),
  }));
  const thinks = isRecord(body['thinking']) && body['thinking']['type'] !== 'disabled';
  const ofType = (blocks: readonly Json[], type: string): Json[] =>
    blocks.filter((block) => block['type'] === type);
  const isThought = (block: Json | undefined): boolean => block?.['type'] === 'thinking';
  const lastAssistant = messages.findLast(({ role }) => role === 'assistant');
  const isInLoop = ofType(messages.at(-1)?.blocks ?? [], 'tool_result').length > 0;
  return first(
    () => messages[0]?.role !== 'user' && 'messages: first message must use the "user" role',
    () =>
      firstOf(messages, ({ role }, at) =>
        role === messages[at - 1]?.role ? `messages: roles must alternate, found multiple "${role}"` : null,
      ),
    () =>
      firstOf(messages, ({ blocks }, at) => {
        const results = ofType(messages[at + 1]?.blocks ?? [], 'tool_result');
        const ids = ofType(blocks, 'tool_use').map(({ id }) => textOf(id));
        const answered = results.map(({ tool_use_id: id }) => textOf(id));
        if ([...ids].sort().join() !== [...answered].sort().join())
          return `messages.${at}: each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message`;
        const isBehind = messages[at + 1]?.blocks
          .slice(0, results.length)
          .some(({ type }) => type !== 'tool_result');
        if (isBehind === true) return `messages.${at + 1}: \`tool_result\` blocks must come first`;
        if (ofType(blocks, 'tool_use').some(({ input }) => !isRecord(input)))
          return `messages.${at}: input should be a valid dictionary`;
        return null;
      }),
    () =>
      firstOf(messages, ({ blocks }, at) =>
        blocks.length === 0 || ofType(blocks, 'text').some(({ text }) => textOf(text).trim() === '')
          ? `messages.${at}: text content blocks must contain non-whitespace text`
          : null,
      ),
    () =>
      firstOf(
        messages.flatMap(({ blocks }) => ofType(blocks, 'thinking')),
        ({ signature, thinking }) =>
          signature === `signed-${textOf(thinking)}` ? null : 'Invalid `signature` in `thinking` block',
      ),
    () =>
      thinks && isInLoop && !isThought(lastAssistant?.blocks[0])
        ? 'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block'
        : null,
  );
}

function google(body: Json): string | null {
  const contents = recordsIn(body['contents']).map(({ role, parts }) => ({
    role: textOf(role),
    parts: recordsIn(parts),
  }));
  const withField = (parts: readonly Json[], name: string): Json[] => parts.filter((part) => name in part);
  const lastQuestion = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && withField(parts, 'functionResponse').length === 0,
  );
  const thinks = JSON.stringify(body['generationConfig'] ?? {}).includes('thinking');
  return first(
    () => contents[0]?.role !== 'user' && 'Please ensure that the first turn is a user turn.',
    () =>
      firstOf(contents, ({ role }, at) =>
        role === contents[at - 1]?.role
          ? 'Please ensure that multiturn requests alternate between user and model.'
          : null,
      ),
    () =>
      firstOf(contents, ({ parts }, at) => {
        const calls = withField(parts, 'functionCall').length;
        const responses = withField(contents[at + 1]?.parts ?? [], 'functionResponse').length;
        return calls === responses
          ? null
          : 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
      }),
    () =>
      firstOf(contents, ({ parts }) =>
        parts.length === 0 || parts.some((part) => 'text' in part && textOf(part['text']) === '')
          ? 'Unable to submit request because it must have a text parameter.'
          : null,
      ),
    () =>
      firstOf(
        contents.flatMap(({ parts }) => withField(parts, 'thoughtSignature')),
        ({ thoughtSignature: signature }) =>
          /^(?:signed-|skip_thought_signature_validator$)/.test(textOf(signature))
            ? null
            : 'Thought signature is not valid.',
      ),
    () =>
      firstOf(thinks ? contents.slice(lastQuestion) : [], ({ parts }, at) => {
        const [call] = withField(parts, 'functionCall');
        return call === undefined || 'thoughtSignature' in call
          ? null
          : `Function call is missing a thought_signature in functionCall parts, position ${at}.`;
      }),
  );
}

/** The strictest server that speaks each format. */
export const STRICT_RULES = {
  openai: chat(noThoughts),
  azure: chat(noThoughts),
  mistral: chat(shortIds),
  ollama: (body) => {
    const messages = recordsIn(body['messages']);
    return first(
      () => turns(messages),
      () => objectArguments(messages),
      () =>
        firstOf(messages, ({ content }) => (typeof content === 'string' ? null : 'content must be a string')),
    );
  },
  anthropic,
  google,
} as const satisfies Record<WireName, Rules>;

/** A server in OpenAI's format, with a model that thinks and a template that wants turns. */
export const THINKING_RULES = chat(thoughtsWithTools);
