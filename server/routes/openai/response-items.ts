/** The items of a response while it is written, and the events of a stream about them. */
import type { CallProgress, Progress } from './answering.ts';
import type { OutputItem } from './schemas.ts';
import type { ClientCall } from './tools.ts';

/** An event of a stream, without its number. */
export interface ResponseEvent extends Record<string, unknown> {
  type: string;
}

interface OpenItem {
  index: number;
  /** Its text so far. */
  text: string;
  item: (text: string, status: string) => OutputItem;
  begun: (at: ItemPosition) => ResponseEvent[];
  grown: (at: ItemPosition, delta: string) => ResponseEvent;
  done: (at: ItemPosition, text: string) => ResponseEvent[];
}

interface ItemPosition {
  output_index: number;
  item_id: string;
}

/** Starts without items. Reasoning and text follow one another; calls may be written in parallel. */
export function createItems(responseId: string) {
  const output: OutputItem[] = [];
  const calls = new Map<number, OpenItem>();
  let written: OpenItem | null = null;
  let count = 0;
  const idOf = (prefix: string, index: number): string => `${prefix}_${responseId.slice(5)}_${index}`;
  const positionOf = (open: OpenItem): ItemPosition => ({
    output_index: open.index,
    item_id: open.item('', '').id,
  });

  function open(make: (index: number) => OpenItem): { item: OpenItem; events: ResponseEvent[] } {
    const item = make(count);
    count += 1;
    const added = { type: 'response.output_item.added', output_index: item.index };
    return {
      item,
      events: [{ ...added, item: item.item('', 'in_progress') }, ...item.begun(positionOf(item))],
    };
  }

  function grow(item: OpenItem, delta: string): ResponseEvent[] {
    if (delta === '') return [];
    item.text += delta;
    return [item.grown(positionOf(item), delta)];
  }

  function end(item: OpenItem): ResponseEvent[] {
    const whole = item.item(item.text, 'completed');
    output[item.index] = whole;
    return [
      ...item.done(positionOf(item), item.text),
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
    /** The finished ones. */
    output,
    add: ({ text, reasoning, calls: called, isRefusal }: Progress): ResponseEvent[] => [
      ...write('reasoning', (index) => reasoningItem(index, idOf('rs', index)), reasoning),
      ...write('message', (index) => messageItem(index, idOf('msg', index), isRefusal === true), text),
      ...called.flatMap(call),
    ],
    close: (): ResponseEvent[] => [...endWritten(), ...[...calls.values()].flatMap(end)],
  };
}

const CONTENT = { content_index: 0 };

function messageItem(index: number, id: string, isRefusal: boolean): OpenItem {
  const [kind, field] = isRefusal ? ['refusal', 'refusal'] : ['output_text', 'text'];
  const logprobs = isRefusal ? {} : { logprobs: [] };
  const part = (text: string): object => ({
    type: kind,
    [field]: text,
    ...(!isRefusal && { annotations: [], logprobs: [] }),
  });
  return {
    index,
    text: '',
    item: (text, status) => ({
      id,
      type: 'message',
      role: 'assistant',
      status,
      content: text === '' ? [] : [part(text)],
    }),
    begun: (at) => [{ type: 'response.content_part.added', ...at, ...CONTENT, part: part('') }],
    grown: (at, delta) => ({ type: `response.${kind}.delta`, ...at, ...CONTENT, delta, ...logprobs }),
    done: (at, text) => [
      { type: `response.${kind}.done`, ...at, ...CONTENT, [field]: text, ...logprobs },
      { type: 'response.content_part.done', ...at, ...CONTENT, part: part(text) },
    ],
  };
}

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
