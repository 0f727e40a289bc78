import { REASONING_DETAILS } from '../../connections/providers/openai-format.ts';
import { fieldsOf, isObject, listOf, textOf, type Fields } from '../../lib/fields.ts';
import {
  argumentsText,
  endWordOf,
  FILE_NOTE,
  idOf,
  isError,
  numbersIn,
  recordsIn,
  toolNameOf,
  type AnswerFormat,
  type Reason,
} from './answer-format.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  stop: 'stop',
  length: 'length',
  filter: 'content_filter',
  calls: 'tool_calls',
};

/** In an event for a library: its text is a refusal, which not every library knows. */
const REFUSAL_MARK = 'parley_refusal';

/** Whether an event that a library passes on raw has text of a refusal. */
export const isRefusalEvent = (event: unknown): boolean =>
  recordsIn(fieldsOf(event)['choices']).some(({ delta }) => fieldsOf(delta)[REFUSAL_MARK] === true);

/** A call of a tool as far as an event has it. */
interface CallDelta {
  index: number;
  id?: string;
  function: { name?: string; arguments: string };
  /** A signature of Google's models. */
  extra_content?: object;
}

/** How a library reads reasoning: in a field, in parts of the content (Mistral), or only in {@link findThoughts}'s marks (OpenAI). */
type ThoughtForm = 'field' | 'parts' | 'marks';

/** OpenAI's chat completions. */
export function createChatFormat(thoughtForm: ThoughtForm): AnswerFormat {
  let usage: object | null = null;
  let head: object = {};
  let hasContent = false;
  /** A mark of reasoning is open. */
  let isMarked = false;
  /** OpenRouter's record of the reasoning so far. */
  let details: Fields[] = [];
  /** The indexes of the calls by their ids. */
  const indexes = new Map<string, number>();
  let nextIndex = 0;
  let hasCalls = false;
  let isRefused = false;
  /** Arguments that came before their tool's name; null: the name is known. */
  const early = new Map<number, string | null>();

  function callDeltas(call: Fields): CallDelta[] {
    const called = fieldsOf(call['function'] ?? call);
    const [name, id] = [toolNameOf(called['name']), idOf(call['id'])];
    const given = argumentsText(called['arguments']);
    const index = indexOf(call['index'], id, name);
    if (id !== null) indexes.set(id, index);
    nextIndex = Math.max(nextIndex, index + 1);
    const before = early.get(index);
    const args = `${before ?? ''}${given ?? ''}`;
    if (name === null && before !== null) {
      early.set(index, args);
      return [];
    }
    early.set(index, null);
    const signature =
      hasCalls || details.length === 0
        ? textOf(fieldsOf(fieldsOf(call['extra_content'])['google'])['thought_signature'])
        : REASONING_DETAILS + JSON.stringify(details);
    hasCalls = true;
    return [
      {
        index,
        ...(id !== null && { id }),
        function: { ...(name !== null && { name }), arguments: args },
        ...(signature !== null && { extra_content: { google: { thought_signature: signature } } }),
      },
    ];
  }

  function indexOf(given: unknown, id: string | null, name: string | null): number {
    const index = typeof given === 'string' ? Number.parseInt(given, 10) : given;
    if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0) return index;
    const known = id === null ? undefined : indexes.get(id);
    return known ?? (name === null ? Math.max(0, nextIndex - 1) : nextIndex);
  }

  function thoughtEvents(thought: string): object[] {
    if (thought === '' || (thoughtForm === 'marks' && hasContent)) return [];
    if (thoughtForm !== 'marks')
      return [chunk(thoughtForm === 'parts' ? thinking(thought) : { reasoning_content: thought })];
    const opening = isMarked ? '' : '<think>';
    isMarked = true;
    return [chunk({ content: opening + thought })];
  }

  const chunk = (delta: object, more: object = {}): object => ({
    ...head,
    choices: [{ index: 0, delta, ...more }],
  });

  return {
    isLines: false,
    read(event) {
      const choices = recordsIn(event['choices']);
      const choice: Fields = choices[0] ?? {};
      const { delta, message } = choice;
      const inChoice = [choice['error'], fieldsOf(delta)['error'], fieldsOf(message)['error']].find(isError);
      if (inChoice !== undefined) return { events: [], error: { error: inChoice } };
      const counted = usageIn(event['usage'] ?? choice['usage']);
      if (choices.length === 0 && counted === null) return null;
      usage = counted ?? usage;
      const [id, model] = [idOf(event['id']), textOf(event['model'])];
      head = { ...(id !== null && { id }), ...(model !== null && { model }) };
      // Some servers repeat the whole message at the end.
      const given = fieldsOf(
        delta ?? (message && hasContent ? {} : (message ?? { content: choice['text'] })),
      );
      const { text, thought } = textsIn(given);
      details = recordsIn(given['reasoning_details']).reduce(withDetail, details);
      // Some servers still send OpenAI's first form of calls, one a reply.
      const { tool_calls: made, function_call: only } = given;
      const calls = recordsIn(made ?? (isObject(only) ? [{ index: 0, function: only }] : [])).flatMap(
        callDeltas,
      );
      const refusal = textOf(given['refusal']);
      const events = thoughtEvents(thought);
      hasContent ||= text !== '' || calls.length > 0;
      if (isMarked && hasContent) {
        isMarked = false;
        events.push(chunk({ content: '</think>' }));
      }
      if (refusal !== null) {
        isRefused = true;
        events.push(chunk({ [REFUSAL_MARK]: true, content: text + refusal }));
      } else if (text !== '') events.push(chunk({ content: text }));
      if (calls.length > 0) events.push(chunk({ tool_calls: calls }));
      const word = endWordOf(choice['finish_reason']);
      return { events: word === null && events.length === 0 ? [chunk({})] : events, word };
    },
    close(given) {
      const ending = isRefused ? 'filter' : given;
      const isWhole = ending === 'stop' || ending === 'calls';
      const reason = REASONS[isWhole ? (hasCalls ? 'calls' : 'stop') : ending];
      return [{ ...chunk({}, { finish_reason: reason }), ...(usage !== null && { usage }) }];
    },
  };
}

const thinking = (text: string): object => ({
  content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
});

/** The record with a detail, which may be the next piece of the one before. */
function withDetail(details: Fields[], detail: Fields): Fields[] {
  const last: Fields = details.at(-1) ?? {};
  const { type, index } = detail;
  const field = type === 'reasoning.text' ? 'text' : 'summary';
  if (type === 'reasoning.encrypted' || last['type'] !== type || last['index'] !== index)
    return [...details, detail];
  const given = Object.entries(detail).filter(([, value]) => value !== null);
  const text = (textOf(last[field]) ?? '') + (textOf(detail[field]) ?? '');
  return [...details.slice(0, -1), { ...last, ...Object.fromEntries(given), [field]: text }];
}

/** The text and the reasoning of a message or a part of one, in the ways that servers put them. */
function textsIn(message: Fields): { text: string; thought: string } {
  const { content, reasoning_details: details } = message;
  const apart = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'].map((name) =>
    textOf(message[name]),
  );
  const parts = recordsIn(listOf(content) ?? [content]);
  const texts = parts.map(({ type, text }) => {
    if (/image|audio|video|file/.test(String(type))) return FILE_NOTE;
    return type === 'text' || type === 'output_text' ? textIn(text) : '';
  });
  if (recordsIn(message['images']).length > 0) texts.push(FILE_NOTE);
  const thoughts = parts.filter(({ type }) => type === 'thinking').map(({ thinking }) => textIn(thinking));
  return {
    text: (textOf(content) ?? '') + texts.join(''),
    thought: apart.find((text) => text !== null) ?? (thoughts.join('') || textIn(details)),
  };
}

/** A text, given as such or in parts of text. */
const textIn = (value: unknown): string =>
  textOf(value) ??
  recordsIn(value)
    .map(({ text, summary }) => textOf(text) ?? textOf(summary) ?? '')
    .join('');

/** Usage that the libraries take; null: the server doesn't count both. */
function usageIn(value: unknown): object | null {
  const counts = numbersIn(value, ['prompt_tokens', 'completion_tokens']);
  const { prompt_tokens: input, completion_tokens: output } = counts;
  if (input === undefined || output === undefined) return null;
  const fields = fieldsOf(value);
  return {
    ...counts,
    total_tokens: input + output,
    prompt_tokens_details: numbersIn(fields['prompt_tokens_details'], ['cached_tokens']),
    completion_tokens_details: numbersIn(fields['completion_tokens_details'], ['reasoning_tokens']),
  };
}
