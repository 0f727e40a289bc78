/** The items of a response while it is written, and the events of a stream about them. */
import type { CallProgress, Progress } from './answering.ts';
import type { OutputItem } from './schemas.ts';
import type { ClientCall } from './tools.ts';

/** An event of a stream, without its number. */
export interface ResponseEvent extends Record<string, unknown> {
  type: string;
}

/** How an item and its events are written. */
interface ItemFormat {
  item: (text: string, status: string) => OutputItem;
  begun: (at: ItemPosition) => ResponseEvent[];
  grown: (at: ItemPosition, delta: string) => ResponseEvent;
  done: (at: ItemPosition, text: string) => ResponseEvent[];
}

interface OpenItem extends ItemFormat {
  at: ItemPosition;
  /** Its text so far. */
  text: string;
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

  /** Its id begins with `prefix`. */
  function open(
    prefix: string,
    formatOf: (id: string) => ItemFormat,
  ): { item: OpenItem; events: ResponseEvent[] } {
    const at = { output_index: count, item_id: `${prefix}_${responseId.slice(5)}_${count}` };
    const item = { at, text: '', ...formatOf(at.item_id) };
    count += 1;
    const added = { type: 'response.output_item.added', output_index: at.output_index };
    return { item, events: [{ ...added, item: item.item('', 'in_progress') }, ...item.begun(at)] };
  }

  function grow(item: OpenItem, delta: string): ResponseEvent[] {
    if (delta === '') return [];
    item.text += delta;
    return [item.grown(item.at, delta)];
  }

  function end(item: OpenItem): ResponseEvent[] {
    const whole = item.item(item.text, 'completed');
    const { output_index } = item.at;
    output[output_index] = whole;
    return [
      ...item.done(item.at, item.text),
      { type: 'response.output_item.done', output_index, item: whole },
    ];
  }

  function write(
    kind: OutputItem['type'],
    prefix: string,
    formatOf: (id: string) => ItemFormat,
    text: string,
  ): ResponseEvent[] {
    if (text === '') return [];
    const events: ResponseEvent[] = [];
    if (written !== null && written.item('', '').type !== kind) events.push(...endWritten());
    if (written === null) {
      const opened = open(prefix, formatOf);
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
    const { item, events } = open('fc', (id) => callItem(id, progress));
    calls.set(progress.index, item);
    return [...endWritten(), ...events, ...grow(item, progress.input)];
  }

  return {
    /** The finished ones. */
    output,
    add: ({ text, reasoning, calls: called, isRefusal }: Progress): ResponseEvent[] => [
      ...write('reasoning', 'rs', reasoningItem, reasoning),
      ...write('message', 'msg', (id) => messageItem(id, isRefusal === true), text),
      ...called.flatMap(call),
    ],
    close: (): ResponseEvent[] => [...endWritten(), ...[...calls.values()].flatMap(end)],
  };
}

const CONTENT = { content_index: 0 };

function messageItem(id: string, isRefusal: boolean): ItemFormat {
  const [kind, field] = isRefusal ? ['refusal', 'refusal'] : ['output_text', 'text'];
  const logprobs = isRefusal ? {} : { logprobs: [] };
  const part = (text: string): object => ({
    type: kind,
    [field]: text,
    ...(!isRefusal && { annotations: [], logprobs: [] }),
  });
  return {
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

const reasoningItem = (id: string): ItemFormat => {
  const part = (text: string): object => ({ type: 'summary_text', text });
  return {
    item: (text) => ({ id, type: 'reasoning', summary: text === '' ? [] : [part(text)] }),
    begun: (at) => [{ type: 'response.reasoning_summary_part.added', ...at, ...SUMMARY, part: part('') }],
    grown: (at, delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, ...SUMMARY, delta }),
    done: (at, text) => [
      { type: 'response.reasoning_summary_text.done', ...at, ...SUMMARY, text },
      { type: 'response.reasoning_summary_part.done', ...at, ...SUMMARY, part: part(text) },
    ],
  };
};

function callItem(id: string, { id: call_id, name, namespace, isCustom }: ClientCall): ItemFormat {
  const [kind, field] =
    isCustom === true ? (['custom_tool_call', 'input'] as const) : (['function_call', 'arguments'] as const);
  return {
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
