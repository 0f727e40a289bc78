/** Open WebUI's export: a list of chats, each with a tree of messages in `chat.history`, or in older ones a plain list. */
import { fieldsOf, isObject, textOf, type Fields } from '../../lib/fields.ts';
import { detailsParts } from './open-webui-details.ts';
import { sourcesIn } from './sources.ts';
import {
  call,
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
  read(value) {
    const chat = chatOf(value);
    const history = historyOf(chat);
    const nodes = new Map<string, SourceNode>();
    if (isObject(history['messages'])) {
      for (const [id, message] of Object.entries(history['messages']))
        if (isObject(message)) nodes.set(id, readMessage(message, textOf(message['parentId'])));
    } else {
      let before: string | null = null;
      for (const [index, message] of itemsIn(chat['messages']).entries()) {
        if (!isObject(message)) continue;
        const id = textOf(message['id']) ?? String(index);
        nodes.set(id, readMessage(message, before));
        before = id;
      }
    }
    const createdAt = timeFrom(value['created_at']) ?? timeFrom(chat['timestamp'], 'milliseconds');
    return {
      id: textOf(value['id']) ?? textOf(chat['id']) ?? `${createdAt} ${[...nodes.keys()].join(' ')}`,
      title: textOf(chat['title']) ?? stringIn(value['title']),
      createdAt,
      updatedAt: timeFrom(value['updated_at']),
      pinned: value['pinned'] === true,
      archived: value['archived'] === true,
      nodes,
      current: textOf(history['currentId']),
    };
  },
};

function readMessage(message: Fields, parent: string | null): SourceNode {
  const { role } = message;
  const common = { parent, createdAt: timeFrom(message['timestamp']) };
  if (role !== 'user' && role !== 'assistant') return hidden(parent, role === 'system');
  const files = objects(message['files']).map(missingFile);
  const content = message['content'];
  const written = typeof content === 'string' ? content : itemsIn(content).map(textOfPart).join('\n\n');
  if (role === 'user') return { ...common, role, parts: [...textPart(written), ...files] };
  const model = textOf(message['model']) ?? textOf(message['modelName']);
  return {
    ...common,
    role,
    model,
    parts: [
      ...sourceParts(message),
      ...(written.trim() === '' ? itemsIn(message['output']).flatMap(outputParts) : detailsParts(written)),
      ...mergedPart(message),
      ...codeParts(message),
      ...files,
      ...errorPart(message['error']),
      ...cutPart(message['done'] === false, false),
    ],
  };
}

/** Passages that were given to the model, as the output of a search, and what they are from. */
function sourceParts(message: Fields): SourcePart[] {
  const found = objects(message['sources'] ?? message['citations']);
  const passages = found
    .flatMap(({ document }) => itemsIn(document).map(stringIn))
    .filter((each) => each.trim() !== '');
  const from = found.flatMap(({ source, metadata }) => {
    const whole = fieldsOf(source);
    const each = objects(metadata);
    return (each.length > 0 ? each : [whole]).map(({ source: address, url, title, name }) => ({
      type: 'file',
      title: title ?? name ?? whole['name'] ?? address,
      url: [address, url].find((one) => stringIn(one).startsWith('http')),
    }));
  });
  return [
    ...(passages.length === 0 ? [] : [call(null, 'search', null), result('search', passages.join('\n\n'))]),
    ...sourcesIn(from),
  ];
}

/** What newer versions keep as the model gave it. */
function outputParts(item: unknown): SourcePart[] {
  const { type, content, summary, name, call_id: id, arguments: input, output } = fieldsOf(item);
  const callId = textOf(id);
  switch (type) {
    case 'reasoning':
      return [...itemsIn(summary), ...itemsIn(content)].map((part) => ({
        kind: 'reasoning',
        text: textOfPart(part),
      }));
    case 'function_call':
      return [call(callId, name, input)];
    case 'function_call_output':
      return [result('', itemsIn(output).map(textOfPart).join('\n') || output, false, callId)];
    default:
      return itemsIn(content).flatMap((part) => textPart(textOfPart(part)));
  }
}

/** One answer made of those of several models. */
function mergedPart(message: Fields): SourcePart[] {
  const merged = stringIn(fieldsOf(message['merged'])['content']);
  return merged.trim() === '' ? [] : [{ kind: 'text', text: '**Merged answer**' }, ...detailsParts(merged)];
}

/** Code that ran beside the reply. */
const codeParts = (message: Fields): SourcePart[] =>
  objects(message['code_executions']).flatMap(({ code, result: done }) => {
    const { output, error } = fieldsOf(done);
    return [
      call(null, 'code_interpreter', stringIn(code)),
      result('code_interpreter', textOf(error) ?? output ?? '', textOf(error) !== null),
    ];
  });

/** Why the reply failed; older versions wrote it as the text. */
function errorPart(error: unknown): SourcePart[] {
  const { content, message, detail } = fieldsOf(error);
  const words = [error, content, message, detail, fieldsOf(content)['message']].find(
    (each) => textOf(each) !== null,
  );
  return words === undefined && !isObject(error) && error !== true
    ? []
    : [{ kind: 'error', text: stringIn(words) || 'The reply failed.' }];
}

const textOfPart = (part: unknown): string => stringIn(fieldsOf(part)['text']);

const missingFile = (file: Fields): SourcePart =>
  missing(
    file['type'] === 'image' ? 'image' : 'file',
    textOf(file['name']) ?? textOf(fieldsOf(file['file'])['filename']),
  );
