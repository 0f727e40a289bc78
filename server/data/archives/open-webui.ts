/** Open WebUI's export: a list of chats, each with a tree of messages in `chat.history`, or in older ones a plain list. */
import { decodeHTMLStrict } from 'entities/decode';
import { fieldsOf, isObject, textOf } from '../../lib/fields.ts';
import type { Fields } from '../repair-fields.ts';
import {
  hidden,
  list,
  missing,
  objects,
  text,
  textPart,
  timeFrom,
  type AppReader,
  type SourceNode,
  type SourcePart,
} from './source-chat.ts';

/** The chat itself; exports wrap it, older ones don't. */
const chatOf = (value: Fields): Fields => (isObject(value['chat']) ? value['chat'] : value);
const historyOf = (chat: Fields): Fields => fieldsOf(chat['history']);

export const OPEN_WEBUI: AppReader = {
  app: 'open-webui',
  name: 'Open WebUI',
  recognises(value) {
    const chat = chatOf(value);
    return isObject(historyOf(chat)['messages']) || (chat !== value && Array.isArray(chat['messages']));
  },
  read(value, countInstructions) {
    const chat = chatOf(value);
    const history = historyOf(chat);
    const nodes = new Map<string, SourceNode>();
    if (isObject(history['messages'])) {
      for (const [id, message] of Object.entries(history['messages']))
        if (isObject(message))
          nodes.set(id, readMessage(message, textOf(message['parentId']), countInstructions));
    } else {
      let before: string | null = null;
      for (const [index, message] of list(chat['messages']).entries()) {
        if (!isObject(message)) continue;
        const id = textOf(message['id']) ?? String(index);
        nodes.set(id, readMessage(message, before, countInstructions));
        before = id;
      }
    }
    const createdAt = timeFrom(value['created_at']) ?? timeFrom(chat['timestamp'], 'milliseconds');
    return {
      id: textOf(value['id']) ?? textOf(chat['id']) ?? `${createdAt} ${[...nodes.keys()].join(' ')}`,
      title: textOf(chat['title']) ?? text(value['title']),
      createdAt,
      updatedAt: timeFrom(value['updated_at']),
      pinned: value['pinned'] === true,
      archived: value['archived'] === true,
      nodes,
      current: textOf(history['currentId']),
    };
  },
};

function readMessage(message: Fields, parent: string | null, countInstructions: () => void): SourceNode {
  const { role } = message;
  const common = { parent, createdAt: timeFrom(message['timestamp']) };
  if (role !== 'user' && role !== 'assistant') {
    if (role === 'system') countInstructions();
    return hidden(parent);
  }
  const files = objects(message['files']).map(missingFile);
  const content = message['content'];
  const written = typeof content === 'string' ? content : list(content).map(textOfPart).join('\n\n');
  if (role === 'user') return { ...common, role, model: null, parts: [...textPart(written), ...files] };
  const model = textOf(message['model']) ?? textOf(message['modelName']);
  return { ...common, role, model, parts: [...replyParts(written), ...files] };
}

const textOfPart = (part: unknown): string => text(fieldsOf(part)['text']);

const missingFile = (file: Fields): SourcePart =>
  missing(
    file['type'] === 'image' ? 'image' : 'file',
    textOf(file['name']) ?? textOf(fieldsOf(file['file'])['filename']),
  );

const DETAILS = '<details type="reasoning"';
const DETAILS_END = '</details>';

/** Reasoning is part of the text, in a `details` element with quoted lines. */
function replyParts(written: string): SourcePart[] {
  const parts: SourcePart[] = [];
  let rest = written;
  for (;;) {
    const start = rest.indexOf(DETAILS);
    const end = start === -1 ? -1 : rest.indexOf(DETAILS_END, start);
    if (end === -1) break;
    parts.push(...textPart(rest.slice(0, start).trim()));
    const inside = rest.slice(rest.indexOf('>', start) + 1, end).replace(/<summary>[^<]*<\/summary>/, '');
    parts.push({ kind: 'reasoning', text: plainQuotes(inside) });
    rest = rest.slice(end + DETAILS_END.length);
  }
  return [...parts, ...textPart(parts.length === 0 ? rest : rest.trim())];
}

const plainQuotes = (inside: string): string =>
  decodeHTMLStrict(inside)
    .split('\n')
    .map((row) => row.replace(/^>[ ]?/, ''))
    .join('\n')
    .trim();
