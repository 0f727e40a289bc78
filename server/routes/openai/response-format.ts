/** Formats replies as responses: an object with a list of items, and the events of its stream. */
import type { OpenAiError } from '../../plugins/openai-error.ts';
import type { Answered, CallProgress, Progress, StreamFormat } from './answering.ts';
import type { OutputItem, ResponseObject } from './schemas.ts';
import { createPieces } from './text-pieces.ts';
import type { ClientCall } from './tools.ts';

/** The part of a response that is known before the reply. */
export interface ResponseHead {
  id: string;
  /** In seconds since 1970. */
  createdAt: number;
  /** As the client named it. */
  model: string;
  isKept: boolean;
  isBackground: boolean;
  previousId: string | null;
  /** The client's own fields that the response repeats, such as `temperature`. */
  echo: Readonly<Record<string, unknown>>;
}

/** The state of a response. */
export type ResponseStanding = Pick<ResponseObject, 'status'> &
  Partial<Pick<ResponseObject, 'output' | 'error' | 'incomplete_details' | 'usage'>>;

/** The response in that state. */
export const toResponse = (head: ResponseHead, standing: ResponseStanding): ResponseObject => ({
  ...DEFAULTS,
  ...head.echo,
  id: head.id,
  object: 'response',
  created_at: head.createdAt,
  background: head.isBackground,
  store: head.isKept,
  model: head.model,
  previous_response_id: head.previousId,
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
  ...standing,
});

/** Fields that clients expect. */
const DEFAULTS = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
};

/** The state of a complete response with these items. */
export const answeredStanding = (answered: Answered, output: OutputItem[]): ResponseStanding => ({
  ...endOf(answered),
  output,
  usage: usageOf(answered),
});

function endOf({ isCut, direct }: Answered): Pick<ResponseStanding, 'status' | 'incomplete_details'> {
  const isFiltered = direct?.isFiltered === true;
  if (!isFiltered && !isCut) return { status: 'completed', incomplete_details: null };
  return {
    status: 'incomplete',
    incomplete_details: { reason: isFiltered ? 'content_filter' : 'max_output_tokens' },
  };
}

/** 0 if the model reports nothing. */
const usageOf = ({
  usage: { inputTokens = 0, outputTokens = 0 },
  direct,
}: Answered): ResponseObject['usage'] => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: direct?.cachedTokens ?? 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: direct?.reasoningTokens ?? 0 },
  total_tokens: inputTokens + outputTokens,
});

/** A complete response. */
export function toAnsweredResponse(head: ResponseHead, answered: Answered): ResponseObject {
  const items = createItems(head.id);
  const calls = answered.calls.map((call, index) => ({ ...call, index, isNew: true }));
  items.add({ ...answered, calls });
  items.close();
  return toResponse(head, answeredStanding(answered, items.output));
}

interface ResponseEvent extends Record<string, unknown> {
  type: string;
}

/** The items of a response while it is written. */
interface Items {
  /** The finished ones. */
  readonly output: OutputItem[];
  add(progress: Progress): ResponseEvent[];
  close(): ResponseEvent[];
}

interface OpenItem {
  index: number;
  /** Its text so far. */
  text: string;
  item: (text: string, status: string) => OutputItem;
  begun: (at: Place) => ResponseEvent[];
  grown: (at: Place, delta: string) => ResponseEvent;
  done: (at: Place, text: string) => ResponseEvent[];
}

interface Place {
  output_index: number;
  item_id: string;
}

/** Starts without items. Reasoning and text follow one another; calls may be written in parallel. */
function createItems(responseId: string): Items {
  const output: OutputItem[] = [];
  const calls = new Map<number, OpenItem>();
  let written: OpenItem | null = null;
  let count = 0;
  const idOf = (prefix: string, index: number): string => `${prefix}_${responseId.slice(5)}_${index}`;
  const placeOf = (open: OpenItem): Place => ({
    output_index: open.index,
    item_id: open.item('', '').id,
  });

  function open(make: (index: number) => OpenItem): { item: OpenItem; events: ResponseEvent[] } {
    const item = make(count);
    count += 1;
    const added = { type: 'response.output_item.added', output_index: item.index };
    return {
      item,
      events: [{ ...added, item: item.item('', 'in_progress') }, ...item.begun(placeOf(item))],
    };
  }

  function grow(item: OpenItem, delta: string): ResponseEvent[] {
    if (delta === '') return [];
    item.text += delta;
    return [item.grown(placeOf(item), delta)];
  }

  function end(item: OpenItem): ResponseEvent[] {
    const whole = item.item(item.text, 'completed');
    output[item.index] = whole;
    return [
      ...item.done(placeOf(item), item.text),
      { type: 'response.output_item.done', output_index: item.index, item: whole },
    ];
  }

  function write(kind: OutputItem['type'], make: (index: number) => OpenItem, text: string): ResponseEvent[] {
    if (text === '') return [];
    const events: ResponseEvent[] = [];
    if (written !== null && written.item('', '').type !== kind) events.push(...endWritten());
    if (written === null) {
      const opened = open(make);
      written = opened.item;
      events.push(...opened.events);
    }
    return [...events, ...grow(written, text)];
  }

  function endWritten(): ResponseEvent[] {
    const ending = written;
    written = null;
    return ending === null ? [] : end(ending);
  }

  function call(progress: CallProgress): ResponseEvent[] {
    const known = calls.get(progress.index);
    if (known !== undefined) return grow(known, progress.input);
    const { item, events } = open((index) => callItem(index, idOf('fc', index), progress));
    calls.set(progress.index, item);
    return [...endWritten(), ...events, ...grow(item, progress.input)];
  }

  return {
    output,
    add: ({ text, reasoning, calls: called }) => [
      ...write('reasoning', (index) => reasoningItem(index, idOf('rs', index)), reasoning),
      ...write('message', (index) => messageItem(index, idOf('msg', index)), text),
      ...called.flatMap(call),
    ],
    close: () => [...endWritten(), ...[...calls.values()].flatMap(end)],
  };
}

const textPart = (text: string): object => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const CONTENT = { content_index: 0 };

const messageItem = (index: number, id: string): OpenItem => ({
  index,
  text: '',
  item: (text, status) => ({
    id,
    type: 'message',
    role: 'assistant',
    status,
    content: text === '' ? [] : [textPart(text)],
  }),
  begun: (at) => [{ type: 'response.content_part.added', ...at, ...CONTENT, part: textPart('') }],
  grown: (at, delta) => ({ type: 'response.output_text.delta', ...at, ...CONTENT, delta, logprobs: [] }),
  done: (at, text) => [
    { type: 'response.output_text.done', ...at, ...CONTENT, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, ...CONTENT, part: textPart(text) },
  ],
});

const SUMMARY = { summary_index: 0 };

const reasoningItem = (index: number, id: string): OpenItem => {
  const part = (text: string): object => ({ type: 'summary_text', text });
  return {
    index,
    text: '',
    item: (text) => ({ id, type: 'reasoning', summary: text === '' ? [] : [part(text)] }),
    begun: (at) => [{ type: 'response.reasoning_summary_part.added', ...at, ...SUMMARY, part: part('') }],
    grown: (at, delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, ...SUMMARY, delta }),
    done: (at, text) => [
      { type: 'response.reasoning_summary_text.done', ...at, ...SUMMARY, text },
      { type: 'response.reasoning_summary_part.done', ...at, ...SUMMARY, part: part(text) },
    ],
  };
};

function callItem(
  index: number,
  id: string,
  { id: call_id, name, namespace, isCustom }: ClientCall,
): OpenItem {
  const [kind, field] =
    isCustom === true ? (['custom_tool_call', 'input'] as const) : (['function_call', 'arguments'] as const);
  return {
    index,
    text: '',
    item: (text, status) => ({
      id,
      type: kind,
      call_id,
      name,
      ...(namespace !== undefined && { namespace }),
      [field]: text,
      status,
    }),
    begun: () => [],
    grown: (at, delta) => ({ type: `response.${kind}_${field}.delta`, ...at, delta }),
    done: (at, text) => [{ type: `response.${kind}_${field}.done`, ...at, name, [field]: text }],
  };
}

/**
 * The format of a stream; only events with numbers above `after` are sent, and `onEnd` is called with the complete response. Every stream of a stored response has the same
 * events: text is cut at the same places, and reasoning, which may come between pieces of text, is sent at the end.
 */
export function createResponseStream(
  head: ResponseHead,
  { after = -1, onEnd }: { after?: number; onEnd?: (response: ResponseObject) => void } = {},
): StreamFormat {
  const items = createItems(head.id);
  const piecesOf = createPieces();
  let next = 0;
  const report = (events: ResponseEvent[]): string =>
    events
      .map(({ type, ...fields }) => {
        const data = { type, sequence_number: next, ...fields };
        next += 1;
        return data.sequence_number > after ? `event: ${type}\ndata: ${JSON.stringify(data)}\n\n` : '';
      })
      .join('');
  const about = (type: string, standing: ResponseStanding): ResponseEvent => ({
    type: `response.${type}`,
    response: toResponse(head, standing),
  });
  let thoughts = '';
  function add(progress: Progress, isEnd = false): ResponseEvent[] {
    if (!head.isKept) return items.add(progress);
    thoughts += progress.reasoning;
    const pieces = piecesOf(progress.text, isEnd).map((text) => ({ ...NOTHING, text }));
    if (isEnd) pieces.push({ ...NOTHING, reasoning: thoughts });
    return pieces.flatMap((piece) => items.add(piece));
  }
  const close = (): ResponseEvent[] => [...add(NOTHING, true), ...items.close()];
  return {
    begin: () => report([about('created', BEGUN), about('in_progress', BEGUN)]),
    more: (progress) => report(add(progress)),
    end(answered) {
      const closing = close();
      const standing = answeredStanding(answered, items.output);
      onEnd?.(toResponse(head, standing));
      return report([...closing, about(standing.status, standing)]);
    },
    fail(error) {
      const closing = close();
      return report([...closing, about('failed', failedStanding(error, items.output))]);
    },
  };
}

const NOTHING: Progress = { text: '', reasoning: '', calls: [] };
const BEGUN: ResponseStanding = { status: 'in_progress' };

/** The state of a failed response. */
export const failedStanding = (
  { code, message }: Pick<OpenAiError, 'code' | 'message'>,
  output: OutputItem[],
): ResponseStanding => ({
  status: 'failed',
  error: { code, message },
  output,
});
