/** Claude's archive: each chat has its `chat_messages` as a list; newer ones name the message before each. */
import { fileBlock } from '../../../shared/file-block.ts';
import { isObject, type Fields } from '../mend-fields.ts';
import {
  callInput,
  list,
  text,
  textOrNull,
  textPart,
  timeFrom,
  type AppReader,
  type SourceNode,
  type SourcePart,
} from './source-chat.ts';

export const CLAUDE: AppReader = {
  app: 'claude',
  name: 'Claude',
  recognises: (value) => Array.isArray(value['chat_messages']),
  read(value) {
    const model = textOrNull(value['model']);
    const messages = list(value['chat_messages']).filter(isObject);
    const ids = messages.map((message, index) => textOrNull(message['uuid']) ?? String(index));
    const known = new Set(ids);
    // Only a list whose messages name each other is a tree; in others, each answers the one before.
    const isTree = messages.some((message) => known.has(text(message['parent_message_uuid'])));
    const nodes = new Map<string, SourceNode>();
    for (const [index, message] of messages.entries()) {
      const before = isTree ? textOrNull(message['parent_message_uuid']) : (ids[index - 1] ?? null);
      const role = message['sender'] === 'human' ? 'user' : 'assistant';
      nodes.set(ids[index] ?? '', {
        parent: before,
        role,
        createdAt: timeFrom(message['created_at']),
        model: role === 'user' ? null : (textOrNull(message['model']) ?? model),
        parts: partsOf(message),
      });
    }
    return {
      id: textOrNull(value['uuid']) ?? text(value['created_at']),
      title: text(value['name']),
      createdAt: timeFrom(value['created_at']),
      updatedAt: timeFrom(value['updated_at']),
      pinned: value['is_starred'] === true,
      archived: value['is_archived'] === true,
      nodes,
      current: textOrNull(value['current_leaf_message_uuid']) ?? ids.at(-1) ?? null,
    };
  },
};

function partsOf(message: Fields): SourcePart[] {
  const blocks = list(message['content']).filter(isObject).flatMap(blockParts);
  const said = blocks.length > 0 ? blocks : textPart(message['text']);
  const named = new Set<string>();
  const attached = list(message['attachments'])
    .filter(isObject)
    .map((file): SourcePart => {
      const name = text(file['file_name']);
      named.add(name);
      const content = textOrNull(file['extracted_content']);
      if (content === null) return { kind: 'missing', what: 'file', name: name || null };
      return { kind: 'text', text: fileBlock({ name, text: content }) };
    });
  const files = [...list(message['files']), ...list(message['files_v2'])].filter(isObject);
  const missing = files.flatMap((file): SourcePart[] => {
    const name = text(file['file_name']);
    if (name !== '' && named.has(name)) return [];
    named.add(name);
    const isImage = file['file_kind'] === 'image' || /\.(png|jpe?g|gif|webp)$/i.test(name);
    return [{ kind: 'missing', what: isImage ? 'image' : 'file', name: name || null }];
  });
  return [...said, ...attached, ...missing];
}

function blockParts(block: Fields): SourcePart[] {
  switch (block['type']) {
    case 'text':
    case 'voice_note':
      return textPart(block['text']);
    case 'thinking':
      return [{ kind: 'reasoning', text: text(block['thinking']) }];
    case 'tool_use':
      return [
        {
          kind: 'call',
          callId: textOrNull(block['id']),
          tool: textOrNull(block['name']) ?? 'tool',
          input: callInput(block['input']),
        },
      ];
    case 'tool_result':
      return [
        {
          kind: 'result',
          callId: textOrNull(block['tool_use_id']),
          output: resultOf(block['content']),
          failed: block['is_error'] === true,
        },
      ];
    case 'image':
      return [{ kind: 'missing', what: 'image', name: null }];
    default:
      return [];
  }
}

/** Text where all of it is that. */
function resultOf(content: unknown): unknown {
  const blocks = list(content);
  const texts = blocks.flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  return blocks.length > 0 && texts.length === blocks.length ? texts.join('\n') : (content ?? null);
}
