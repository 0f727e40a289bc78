/** Claude's archive: each chat has a list `chat_messages`; in newer ones, each message names the one before it. */
import { fieldsOf, textOf, type Fields } from '../../lib/fields.ts';
import { artifactParts, noArtifacts, withArtifacts, type Artifacts } from './claude-artifacts.ts';
import { filePart } from './markup.ts';
import { sourcesIn } from './sources.ts';
import {
  call,
  cutPart,
  itemsIn,
  missing,
  objects,
  result,
  stringIn,
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
    const model = textOf(value['model']);
    const messages = objects(value['chat_messages']);
    const ids = messages.map((message, index) => textOf(message['uuid']) ?? String(index));
    const known = new Set(ids);
    // Only a list whose messages name each other is a tree; in others, each answers the one before.
    const isTree = messages.some((message) => known.has(stringIn(message['parent_message_uuid'])));
    const nodes = new Map<string, SourceNode>();
    const artifacts = noArtifacts();
    for (const [index, message] of messages.entries()) {
      const before = isTree ? textOf(message['parent_message_uuid']) : (ids[index - 1] ?? null);
      const role = message['sender'] === 'human' ? 'user' : 'assistant';
      nodes.set(ids[index] ?? '', {
        parent: before,
        role,
        createdAt: timeFrom(message['created_at']),
        model: role === 'user' ? null : (textOf(message['model']) ?? model),
        parts: partsOf(message, artifacts),
      });
    }
    return {
      id: textOf(value['uuid']) ?? stringIn(value['created_at']),
      title: stringIn(value['name']),
      createdAt: timeFrom(value['created_at']),
      updatedAt: timeFrom(value['updated_at']),
      pinned: value['is_starred'] === true,
      archived: value['is_archived'] === true,
      nodes,
      current: textOf(value['current_leaf_message_uuid']) ?? ids.at(-1) ?? null,
    };
  },
  readOther({ name, docs, is_starter_project: isExample, ...rest }) {
    const { prompt_template: prompt, conversations_memory: memory, project_memories: memories } = rest;
    if (docs === undefined && prompt === undefined && memory === undefined) return null;
    if (isExample === true) return { instructions: 0, leftOut: null };
    const texts = [prompt, memory, ...Object.values(fieldsOf(memories))];
    return {
      instructions: texts.filter((each) => textOf(each) !== null).length,
      leftOut:
        itemsIn(docs).length === 0 ? null : `The files of the project “${stringIn(name)}” are left out.`,
    };
  },
};

function partsOf(message: Fields, artifacts: Artifacts): SourcePart[] {
  const blocks = objects(message['content']).flatMap((block) => blockParts(block, artifacts));
  const parts = blocks.length > 0 ? blocks : withArtifacts(message['text']);
  const named = new Set<string>();
  const attached = objects(message['attachments']).map((file): SourcePart => {
    const name = stringIn(file['file_name']);
    named.add(name);
    return filePart(name, file['extracted_content']);
  });
  const files = [...objects(message['files']), ...objects(message['files_v2'])];
  const others = files.flatMap((file): SourcePart[] => {
    const name = stringIn(file['file_name']);
    if (name !== '' && named.has(name)) return [];
    named.add(name);
    const isImage = file['file_kind'] === 'image' || /\.(png|jpe?g|gif|webp)$/i.test(name);
    return [missing(isImage ? 'image' : 'file', name || null)];
  });
  const { stop_reason: reason, truncated } = message;
  const end = cutPart(reason === 'user_canceled', reason === 'max_tokens' || truncated === true);
  return [...parts, ...attached, ...others, ...end];
}

function blockParts(block: Fields, artifacts: Artifacts): SourcePart[] {
  switch (block['type']) {
    case 'text':
    case 'voice_note':
      return [...withArtifacts(block['text']), ...sourcesIn(block['citations'])];
    case 'thinking':
      return [{ kind: 'reasoning', text: stringIn(block['thinking']) }];
    case 'tool_use':
      return (
        artifactParts(block, fieldsOf(block['input']), artifacts) ?? [
          call(textOf(block['id']), block['name'], block['input']),
        ]
      );
    case 'tool_result':
      return [
        result(
          stringIn(block['name']),
          resultOf(block['content']),
          block['is_error'] === true,
          textOf(block['tool_use_id']),
        ),
      ];
    case 'image':
      return [missing('image')];
    // How much the model may still read, and what a filter found.
    case 'token_budget':
    case 'flag':
      return [];
    // A kind that is newer than this.
    default:
      return 'text' in block ? textPart(block['text']) : [missing('file', textOf(block['type']))];
  }
}

/** Joined as text if all of it is text, such as pages that were found. */
function resultOf(content: unknown): unknown {
  const blocks = itemsIn(content);
  const texts = objects(content).flatMap((block) =>
    typeof block['text'] === 'string'
      ? [['title', 'url', 'text'].flatMap((name) => textOf(block[name]) ?? []).join('\n')]
      : [],
  );
  return blocks.length > 0 && texts.length === blocks.length ? texts.join('\n') : (content ?? null);
}
