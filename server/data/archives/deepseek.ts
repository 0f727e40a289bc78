/** DeepSeek's archive: a `mapping` of nodes like ChatGPT's, whose messages are lists of fragments; older ones hold plain texts. */
import { fieldsOf, isObject, textOf, type Fields } from '../../lib/fields.ts';
import { filePart } from './markup.ts';
import { foundText } from './sources.ts';
import {
  call,
  hidden,
  objects,
  result,
  stringIn,
  textPart,
  timeFrom,
  type AppReader,
  type SourceNode,
  type SourcePart,
} from './source-chat.ts';

export const DEEPSEEK: AppReader = {
  app: 'deepseek',
  name: 'DeepSeek',
  recognises: (value) =>
    isObject(value['mapping']) &&
    ('inserted_at' in value ||
      Object.values(value['mapping']).some((entry) =>
        Array.isArray(fieldsOf(fieldsOf(entry)['message'])['fragments']),
      )),
  read(value) {
    const nodes = new Map<string, SourceNode>();
    for (const [id, entry] of Object.entries(fieldsOf(value['mapping'])))
      if (isObject(entry)) nodes.set(id, readNode(entry, nodes));
    const createdAt = timeFrom(value['inserted_at']);
    return {
      id: textOf(value['id']) ?? `${createdAt}`,
      title: stringIn(value['title']),
      createdAt,
      updatedAt: timeFrom(value['updated_at']),
      pinned: value['pinned'] === true,
      nodes,
    };
  },
};

function readNode(entry: Fields, before: ReadonlyMap<string, SourceNode>): SourceNode {
  const parent = textOf(entry['parent']);
  const { message } = entry;
  if (!isObject(message)) return hidden(parent);
  const fragments = objects(message['fragments']);
  // Older archives don't say who wrote it; people and the model take turns.
  const isUser =
    fragments.length > 0
      ? fragments.some(({ type }) => type === 'REQUEST')
      : before.get(parent ?? '')?.role !== 'user';
  const pages = fragments.flatMap(({ results }) => objects(results));
  const parts =
    fragments.length > 0
      ? fragments.flatMap((fragment) => fragmentParts(fragment, pages))
      : plainParts(message);
  return {
    parent,
    role: isUser ? 'user' : 'assistant',
    createdAt: timeFrom(message['inserted_at']),
    model: isUser ? null : textOf(message['model']),
    parts: [
      ...parts,
      ...objects(message['files']).map((file) =>
        filePart(stringIn(file['file_name']) || stringIn(file['name']), file['content']),
      ),
    ],
  };
}

function fragmentParts(fragment: Fields, pages: readonly Fields[]): SourcePart[] {
  const { type, content } = fragment;
  switch (type) {
    case 'REQUEST':
      return textPart(content);
    case 'RESPONSE':
      return textPart(withLinks(stringIn(content), pages));
    case 'THINK':
      return [{ kind: 'reasoning', text: stringIn(content) }];
    default: {
      // Searches, pages that were opened, and other tools.
      const found = [stringIn(content), foundText(fragment['results'])]
        .filter((words) => words !== '')
        .join('\n\n');
      const queries = objects(fragment['queries']).map(({ query }) => query);
      if (found === '' && queries.length === 0) return [];
      const tool = stringIn(type).toLowerCase() || 'tool';
      return [call(null, tool, queries.length > 0 ? queries : null), result(tool, found)];
    }
  }
}

function plainParts(message: Fields): SourcePart[] {
  const pages = objects(message['search_results']);
  const found = foundText(pages);
  const reasoning = textOf(message['reasoning_content']);
  return [
    ...(found === '' ? [] : [call(null, 'search', null), result('search', found)]),
    ...(reasoning === null ? [] : [{ kind: 'reasoning' as const, text: reasoning }]),
    ...textPart(withLinks(stringIn(message['content']), pages)),
  ];
}

/** Where the text names a page that was found, by its number, there is a link. */
const withLinks = (written: string, pages: readonly Fields[]): string =>
  written.replace(/\[(?:citation|reference):(\d{1,4})\]/g, (mark, number: string) => {
    const url = textOf(pages.find(({ cite_index: index }) => index === Number(number))?.['url']);
    return url === null ? mark : ` [${number}](<${url.replace(/[\s<>]/g, '')}>)`;
  });
