import { fieldsOf, textOf, type Fields } from '../../lib/fields.ts';
import {
  argumentsText,
  endWordOf,
  idOf,
  numbersIn,
  recordsIn,
  type AnswerFormat,
  type Heard,
  type Reason,
} from './answer-format.ts';

const REASONS: Readonly<Record<Reason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  filter: 'refusal',
  calls: 'tool_use',
};
const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

type BlockType = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use';

/** How each block begins. */
const OPENINGS: Readonly<Record<BlockType, (block: Fields, index: number) => object>> = {
  text: () => ({ text: '' }),
  thinking: () => ({ thinking: '' }),
  redacted_thinking: ({ data }) => ({ data: textOf(data) ?? '' }),
  tool_use: ({ id, name }, index) => ({ id: idOf(id) ?? `toolu_${index}`, name: textOf(name) ?? '' }),
};
const isBlockType = (type: unknown): type is BlockType => Object.hasOwn(OPENINGS, String(type));

/** The pieces of blocks: the field with the piece, and the one of a block that came with it at once. */
const PIECES: readonly { type: string; of: BlockType; field: string; whole: string }[] = [
  { type: 'text_delta', of: 'text', field: 'text', whole: 'text' },
  { type: 'thinking_delta', of: 'thinking', field: 'thinking', whole: 'thinking' },
  { type: 'signature_delta', of: 'thinking', field: 'signature', whole: 'signature' },
  { type: 'input_json_delta', of: 'tool_use', field: 'partial_json', whole: 'input' },
];

/** Anthropic's messages. */
export function createAnthropicFormat(): AnswerFormat {
  let hasStarted = false;
  let usage: Record<string, number> = {};
  /** The blocks that are open, by their index; null: of a type that isn't known. */
  const open = new Map<number, BlockType | null>();

  function start(message: Fields): object[] {
    if (hasStarted) return [];
    hasStarted = true;
    const [id, model] = [idOf(message['id']), textOf(message['model'])];
    count(message['usage']);
    const first = { input_tokens: 0, ...usage };
    return [{ type: 'message_start', message: { id, model, usage: first } }];
  }

  function count(value: unknown): void {
    const details = numbersIn(fieldsOf(value)['output_tokens_details'], ['thinking_tokens']);
    usage = { ...usage, ...numbersIn(value, COUNTS), ...details };
  }

  function startBlock(index: number, block: Fields): object[] {
    const { type } = block;
    const events = [...start({}), ...stopBlock(index)];
    open.set(index, isBlockType(type) ? type : null);
    if (!isBlockType(type)) return events;
    events.push({
      type: 'content_block_start',
      index,
      content_block: { type, ...OPENINGS[type](block, index) },
    });
    for (const { type: piece, of, field, whole } of PIECES) {
      const value = argumentsText(block[whole]);
      // Where the input comes in pieces, an empty one stands here.
      if (of === type && !(whole === 'input' && value === '{}'))
        events.push(...delta(index, { type: piece, [field]: value }));
    }
    return events;
  }

  function stopBlock(index: number): object[] {
    const type = open.get(index);
    open.delete(index);
    return type === undefined || type === null ? [] : [{ type: 'content_block_stop', index }];
  }

  /** A piece of a block, which is opened if its server left that out. */
  function delta(index: number, given: Fields): object[] {
    const piece = PIECES.find(({ type }) => type === given['type']);
    if (piece === undefined) return [];
    const { type, of, field } = piece;
    const events = open.has(index) || of === 'tool_use' ? [] : startBlock(index, { type: of });
    const value = argumentsText(given[field]);
    if (value !== null && open.get(index) === of)
      events.push({ type: 'content_block_delta', index, delta: { type, [field]: value } });
    return events;
  }

  function readWhole(message: Fields): Heard {
    const events = start(message);
    recordsIn(message['content']).forEach((block, index) => {
      events.push(...startBlock(index, block), ...stopBlock(index));
    });
    return { events, word: endWordOf(message['stop_reason']), end: 'now' };
  }

  return {
    isLines: false,
    read(event) {
      const index = Number(event['index'] ?? 0);
      switch (event['type']) {
        case 'message':
          return readWhole(event);
        case 'message_start':
          return { events: start(fieldsOf(event['message'])) };
        case 'content_block_start':
          return { events: startBlock(index, fieldsOf(event['content_block'])) };
        case 'content_block_delta':
          return { events: [...start({}), ...delta(index, fieldsOf(event['delta']))] };
        case 'content_block_stop':
          return { events: stopBlock(index) };
        case 'message_delta':
          count(event['usage']);
          return { events: [], word: endWordOf(fieldsOf(event['delta'])['stop_reason']) };
        case 'message_stop':
          return { events: [], end: 'now' };
        default:
          return null;
      }
    },
    close(reason) {
      const { output_tokens = 0, thinking_tokens, ...counts } = usage;
      return [
        ...start({}),
        ...[...open.keys()].flatMap(stopBlock),
        {
          type: 'message_delta',
          delta: { stop_reason: REASONS[reason] },
          usage: {
            ...counts,
            output_tokens,
            ...(thinking_tokens !== undefined && { output_tokens_details: { thinking_tokens } }),
          },
        },
        { type: 'message_stop' },
      ];
    },
  };
}
