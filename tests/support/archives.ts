/** Chats as other apps export them, and ZIP archives of them, with the parts that an import reads. */
import { randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

/** A file to put into an archive; `more` overwrites what the list of files says of it. */
export interface ZipFile {
  name: string;
  data: string | Buffer;
  isStored?: boolean;
  more?: Partial<{ method: number; flags: number; crc: number; bytes: number }>;
}

/** A ZIP archive as most programs write them; `isWide`: with fields of 64 bits, as some do. */
export function zipOf(files: readonly ZipFile[], isWide = false): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, data, isStored = false, more = {} } of files) {
    // Copying hundreds of megabytes takes seconds.
    const raw = typeof data === 'string' ? Buffer.from(data) : data;
    const packed = isStored ? raw : deflateRawSync(raw);
    const { method = isStored ? 0 : 8, flags = 0, crc = crc32(raw), bytes = raw.length } = more;
    const label = Buffer.from(name);
    const extra = Buffer.alloc(isWide ? 28 : 0);
    if (isWide) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(bytes), 4);
      extra.writeBigUInt64LE(BigInt(packed.length), 12);
      extra.writeBigUInt64LE(BigInt(offset), 20);
    }
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(method, 8);
    header.writeUInt16LE(label.length, 26);
    parts.push(header, label, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(isWide ? 0xffffffff : packed.length, 20);
    entry.writeUInt32LE(isWide ? 0xffffffff : bytes, 24);
    entry.writeUInt16LE(label.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(isWide ? 0xffffffff : offset, 42);
    list.push(entry, label, extra);
    offset += header.length + label.length + packed.length;
  }
  const listing = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listing, end]);
}

/** An archive as ChatGPT or Claude give it, with that as its chats. */
export const archiveOf = (chats: unknown): Buffer =>
  zipOf([
    { name: 'user.json', data: '{"id":"user-1"}' },
    { name: 'conversations.json', data: JSON.stringify(chats) },
    { name: 'chat.html', data: '<html></html>', isStored: true },
  ]);

/** Half past nine on 1 March 2025 plus that many minutes, in seconds. */
export const secondsAt = (minute: number): number => Date.UTC(2025, 2, 1, 9, 30 + minute) / 1000;
/** The same in the API's format. */
export const timeAt = (minute: number): string => new Date(secondsAt(minute) * 1000).toISOString();

/** A node of ChatGPT's `mapping`, without its links. */
interface GptNode {
  role: string;
  content: object;
  minute?: number;
  recipient?: string;
  name?: string;
  metadata?: object;
}

/** Text of one of ChatGPT's messages. */
export const gptText = (...parts: unknown[]): object => ({ content_type: 'text', parts });

/** A chat of ChatGPT: `links` are `[id, id of the one before or null, message or null]`. */
export function gptChat(
  links: [id: string, parent: string | null, node: GptNode | null][],
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const id = randomUUID();
  const childrenOf = Map.groupBy(links, ([, parent]) => parent);
  const mapping = Object.fromEntries(
    links.map(([key, parent, node]) => [
      key,
      {
        id: key,
        parent,
        children: (childrenOf.get(key) ?? []).map(([child]) => child),
        message: node && {
          id: key,
          author: { role: node.role, name: node.name ?? null, metadata: {} },
          create_time: node.minute === undefined ? null : secondsAt(node.minute) + 0.123456,
          update_time: null,
          content: node.content,
          status: 'finished_successfully',
          end_turn: true,
          weight: 1,
          metadata: node.metadata ?? {},
          recipient: node.recipient ?? 'all',
          channel: null,
        },
      },
    ]),
  );
  return {
    title: 'A chat with ChatGPT',
    create_time: secondsAt(0) + 0.5,
    update_time: secondsAt(30),
    mapping,
    moderation_results: [],
    current_node: links.at(-1)?.[0] ?? null,
    plugin_ids: null,
    conversation_id: id,
    default_model_slug: 'gpt-4o',
    is_archived: false,
    id,
    ...more,
  };
}

/** A chat of ChatGPT with a question and a reply. */
export const plainGptChat = (question: string, reply: string, more: Record<string, unknown> = {}) =>
  gptChat(
    [
      ['root', null, null],
      ['q', 'root', { role: 'user', content: gptText(question), minute: 1 }],
      [
        'a',
        'q',
        { role: 'assistant', content: gptText(reply), minute: 2, metadata: { model_slug: 'gpt-4o' } },
      ],
    ],
    more,
  );

/** A message of Claude's. */
export const claudeMessage = (
  sender: 'human' | 'assistant',
  text: string,
  minute: number,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  uuid: randomUUID(),
  text,
  content: [{ type: 'text', text, start_timestamp: null, stop_timestamp: null, citations: [] }],
  sender,
  created_at: timeAt(minute).replace('Z', '456Z'),
  updated_at: timeAt(minute),
  attachments: [],
  files: [],
  ...more,
});

/** A chat of Claude's. */
export const claudeChat = (
  chat_messages: Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  uuid: randomUUID(),
  name: 'A chat with Claude',
  summary: '',
  created_at: timeAt(0),
  updated_at: timeAt(30),
  account: { uuid: randomUUID() },
  chat_messages,
  ...more,
});

/** A chat of Open WebUI, of messages with their `parentId`. */
export function webuiChat(
  messages: { id: string; parentId: string | null; [name: string]: unknown }[],
  currentId: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const id = randomUUID();
  const byId = Object.fromEntries(
    messages.map((message) => [
      message.id,
      {
        childrenIds: messages.filter(({ parentId }) => parentId === message.id).map((child) => child.id),
        timestamp: secondsAt(1),
        ...message,
      },
    ]),
  );
  return {
    id,
    user_id: randomUUID(),
    title: 'A chat in Open WebUI',
    chat: {
      id: '',
      title: 'A chat in Open WebUI',
      models: ['llama3.2:latest'],
      params: {},
      history: { messages: byId, currentId },
      messages: [],
      tags: [],
      timestamp: secondsAt(0) * 1000,
      files: [],
    },
    updated_at: secondsAt(30),
    created_at: secondsAt(0),
    share_id: null,
    archived: false,
    pinned: true,
    meta: {},
    folder_id: null,
    ...more,
  };
}

const lmText = (text: string): object => ({ type: 'text', text });

/** A message of a person in LM Studio, in one or several versions. */
export const lmUser = (currentlySelected: number, ...texts: string[]): object => ({
  versions: texts.map((text) => ({ type: 'singleStep', role: 'user', content: [lmText(text)] })),
  currentlySelected,
});

/** A reply in LM Studio, with what it thought. */
export const lmReply = (thought: string, text: string, model = 'qwen3-4b'): object => ({
  versions: [
    {
      type: 'multiStep',
      role: 'assistant',
      senderInfo: { senderName: model },
      steps: [
        {
          type: 'contentBlock',
          stepIdentifier: '1-0.1',
          content: [{ type: 'text', text: thought, fromDraftModel: false }],
          style: { type: 'thinking', ended: true, title: 'Thought for 2.1 seconds' },
          genInfo: { identifier: model, stats: { stopReason: 'eosFound' } },
        },
        {
          type: 'contentBlock',
          stepIdentifier: '1-0.2',
          content: [{ type: 'text', text, fromDraftModel: false }],
          genInfo: { identifier: model },
        },
        { type: 'debugInfoBlock', debugInfo: 'Conversation naming technique: prompt' },
      ],
    },
  ],
  currentlySelected: 0,
});

/** A file of LM Studio. */
export const lmChat = (messages: object[], more: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'A chat in LM Studio',
  pinned: false,
  createdAt: Math.floor(secondsAt(0) * 1000 + Math.random() * 1e9),
  preset: '',
  tokenCount: 42,
  systemPrompt: 'Be brief.',
  messages,
  usePerChatPredictionConfig: true,
  perChatPredictionConfig: { fields: [] },
  clientInput: '',
  clientInputFiles: [],
  userLastMessagedAt: secondsAt(20) * 1000,
  assistantLastMessagedAt: secondsAt(21) * 1000,
  lastUsedModel: { identifier: 'qwen3-4b', indexedModelIdentifier: 'qwen/qwen3-4b' },
  ...more,
});
