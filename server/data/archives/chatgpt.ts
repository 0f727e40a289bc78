/** ChatGPT's archive: each chat is a `mapping` of nodes; `current_node` is the last one shown. */
import { fieldsOf, isObject, textOf, type Fields } from '../../lib/fields.ts';
import { callText, createCanvasReader } from './chatgpt-canvas.ts';
import { attributesOf, importedCode, titleInMarkdown } from './markup.ts';
import { foundText, sourcesIn } from './sources.ts';
import {
  call,
  callInput,
  cutPart,
  hidden,
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

export const CHATGPT: AppReader = {
  app: 'chatgpt',
  name: 'ChatGPT',
  recognises: (value) => isObject(value['mapping']),
  read(value) {
    const mapping = fieldsOf(value['mapping']);
    const readCanvas = createCanvasReader(mapping);
    const nodes = new Map<string, SourceNode>();
    for (const [id, entry] of Object.entries(mapping))
      if (isObject(entry))
        nodes.set(
          id,
          readNode(entry, () => readCanvas(id)),
        );
    const createdAt = timeFrom(value['create_time']);
    return {
      id: textOf(value['conversation_id']) ?? textOf(value['id']) ?? `${createdAt}`,
      title: stringIn(value['title']),
      createdAt,
      updatedAt: timeFrom(value['update_time']),
      pinned: value['is_starred'] === true,
      archived: value['is_archived'] === true,
      model: textOf(value['default_model_slug']),
      nodes,
      current: textOf(value['current_node']),
    };
  },
};

function readNode(entry: Fields, readCanvas: () => SourcePart[] | null): SourceNode {
  const parent = textOf(entry['parent']);
  const message = fieldsOf(entry['message']);
  const metadata = fieldsOf(message['metadata']);
  const content = fieldsOf(message['content']);
  const { role, name } = fieldsOf(message['author']);
  const type = stringIn(content['content_type']);
  const isInstruction =
    role === 'system' ||
    role === 'developer' ||
    type === 'user_editable_context' ||
    type === 'model_editable_context';
  const common = { parent, createdAt: timeFrom(message['create_time']) };
  const found = searchText(metadata);
  if (isInstruction || metadata['is_visually_hidden_from_conversation'] === true) {
    // What a search found is hidden, and shown with its call.
    if (role !== 'tool' || found === '') return hidden(parent, isInstruction && hasText(content));
    return { ...common, role: 'assistant', parts: [result(stringIn(name), found)] };
  }
  if (role === 'user') {
    const parts = contentParts(content, type);
    return { ...common, role, parts: [...parts, ...attachments(metadata, parts)] };
  }
  if (typeof role !== 'string') return hidden(parent);
  const { type: end } = fieldsOf(metadata['finish_details']);
  const cited = [metadata['content_references'], metadata['citations']].flatMap((each) => sourcesIn(each));
  // Others than these, such as critics, speak to the model as tools do.
  const isOutput = role !== 'assistant' || OUTPUTS.has(type);
  const tool = stringIn(name) || (role === 'assistant' || role === 'tool' ? '' : role);
  const parts = isOutput
    ? [...toolParts(tool, content, type, found), ...pictures(metadata)]
    : [
        ...(found === '' ? [] : [call(null, 'search', queriesOf(metadata)), result('search', found)]),
        ...(readCanvas() ?? replyParts(message, content, type)),
      ];
  return {
    ...common,
    role: 'assistant',
    model: textOf(metadata['model_slug']),
    parts: [
      ...(cited.length > 0 ? parts.map(withoutCitations) : parts),
      ...cited,
      ...cutPart(end === 'interrupted', end === 'max_tokens'),
    ],
  };
}

/** Pictures that code drew. */
const pictures = (metadata: Fields): SourcePart[] =>
  objects(fieldsOf(metadata['aggregate_result'])['messages']).flatMap(({ message_type: type }) =>
    type === 'image' ? [missing('image')] : [],
  );

/** Kinds of content that only tools give. */
const OUTPUTS: ReadonlySet<string> = new Set([
  'execution_output',
  'sonic_webpage',
  'system_error',
  'tether_browsing_display',
  'tether_quote',
]);

const searchText = (metadata: Fields): string =>
  foundText(objects(metadata['search_result_groups']).flatMap((group) => group['entries'] ?? [group]));

const queriesOf = (metadata: Fields): unknown[] =>
  objects(metadata['search_queries']).map(({ q, query }) => q ?? query);

const hasText = (content: Fields): boolean =>
  itemsIn(content['parts']).some((part) => stringIn(part).trim() !== '') || 'user_instructions' in content;

function replyParts(message: Fields, content: Fields, type: string): SourcePart[] {
  const recipient = textOf(message['recipient']) ?? 'all';
  if (type === 'thoughts')
    return objects(content['thoughts']).map(({ summary, content: thought }) => ({
      kind: 'reasoning',
      text: [summary, thought].map(stringIn).join('\n\n').trim(),
    }));
  if (type === 'reasoning_recap') return [];
  if (recipient === 'all') return contentParts(content, type);
  return [call(null, recipient, callText(content))];
}

/** A tool's output is shown with its call, but pictures go into the reply. */
function toolParts(tool: string, content: Fields, type: string, found: string): SourcePart[] {
  const parts = contentParts(content, type);
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const output = [...texts, ...(found === '' ? [] : [found])].join('\n\n');
  return [
    ...(output === '' ? [] : [result(tool, output, type === 'system_error')]),
    ...parts.filter(({ kind }) => kind === 'missing'),
  ];
}

function contentParts(content: Fields, type: string): SourcePart[] {
  switch (type) {
    case 'code': {
      const code = stringIn(content['text']);
      const language = stringIn(content['language']);
      return code.trim() === '' ? [] : textPart(importedCode(code, language === 'unknown' ? '' : language));
    }
    case 'sonic_webpage':
    case 'tether_quote':
      return textPart(
        ['title', 'url', 'snippet', 'text'].flatMap((name) => textOf(content[name]) ?? []).join('\n'),
      );
    case 'tether_browsing_display':
      return textPart(textOf(content['result']) ?? content['summary']);
    default:
      // A kind that is newer than this.
      if (!['parts', 'text', 'result'].some((name) => name in content) && type !== 'text' && type !== '')
        return [missing('file', type)];
      return [
        ...itemsIn(content['parts']).flatMap(partOf),
        ...textPart(plainMarks(stringIn(content['text'] ?? content['result']))),
      ];
  }
}

function partOf(part: unknown): SourcePart[] {
  if (typeof part === 'string') return textPart(plainMarks(part));
  if (!isObject(part)) return [];
  const type = stringIn(part['content_type']);
  if (type === 'image_asset_pointer') return [missing('image')];
  if (type.includes('audio') && type.includes('pointer')) return [missing('recording')];
  return type.endsWith('pointer') ? [missing('file', type)] : textPart(part['text']);
}

function attachments(metadata: Fields, parts: readonly SourcePart[]): SourcePart[] {
  const hasImages = parts.some((part) => part.kind === 'missing' && part.what === 'image');
  return objects(metadata['attachments']).flatMap((each) => {
    const isImage = stringIn(each['mime_type'] ?? each['mimeType']).startsWith('image/');
    // An attached picture is among the parts too.
    if (isImage && hasImages) return [];
    return [missing(isImage ? 'image' : 'file', textOf(each['name']))];
  });
}

/** References to sources are enclosed in marks that only ChatGPT's own page can show; some contain readable words. */
const MARKS = /\ue200([^\ue200\ue201\ue202]*)((?:\ue202[^\ue200\ue201]*)?)\ue201/g;
/** References without such words, and the blanks before them. */
const REFERENCES = /(?<! ) *\ue200(?!url\ue202|entity\ue202)[^\ue200\ue201]*\ue201(?!\w)/g;
/** Text to be copied into an e-mail or a post. */
const WRITING = /^:::writing\{([^\n]*)\}[ \t]*\n([^]*?)\n:::[ \t]*$/gm;

/** Older references, as in 【4:0†report.pdf】, to sources that are listed below. */
const withoutCitations = (part: SourcePart): SourcePart =>
  part.kind === 'text'
    ? { kind: 'text', text: part.text.replace(/(?<! ) *【[^【】]{0,200}†[^【】]{0,200}】(?!\w)/g, '') }
    : part;

function plainMarks(written: string): string {
  const plain = written
    .replace(REFERENCES, '')
    .replace(MARKS, (_all, kind: string, rest: string) => {
      const [, first = '', address = ''] = rest.split('\ue202');
      if (kind === 'url')
        return /^https?:[^\s<>]+$/.test(address) ? `[${titleInMarkdown(first)}](<${address}>)` : first;
      return kind === 'entity' ? stringIn(itemsIn(callInput(first))[1]) : '';
    })
    .replace(WRITING, (_all, inTag: string, body: string) => {
      const subject = attributesOf(inTag).get('subject') ?? '';
      return subject === '' ? body : `**${titleInMarkdown(subject)}**\n\n${body}`;
    });
  // Marks that enclose what is shown as it is.
  return plain.replace(/[\ue203-\ue206]/g, '');
}
