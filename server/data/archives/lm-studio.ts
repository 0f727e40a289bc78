/** LM Studio's chats: one file each, with a list of messages that have versions. */
import { fieldsOf, isObject, textOf, type Fields } from '../../lib/fields.ts';
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

export const LM_STUDIO: AppReader = {
  app: 'lm-studio',
  name: 'LM Studio',
  recognises: (value) =>
    Array.isArray(value['messages']) &&
    ('lastUsedModel' in value ||
      'usePerChatPredictionConfig' in value ||
      value['messages'].some((message) => isObject(message) && Array.isArray(message['versions']))),
  read(value) {
    const model = nameOf(value['lastUsedModel']);
    const createdAt = timeFrom(value['createdAt'], 'milliseconds');
    const nodes = new Map<string, SourceNode>();
    let before: string | null = null;
    for (const [index, message] of itemsIn(value['messages']).entries()) {
      if (!isObject(message)) continue;
      const versions = objects(message['versions']);
      const selected = Number(message['currentlySelected']);
      const chosen = versions[selected] === undefined ? versions.length - 1 : selected;
      const parent: string | null = before;
      for (const [number, version] of versions.entries()) {
        const id = `${index}/${number}`;
        nodes.set(id, readVersion(version, parent, model));
        if (number === chosen) before = id;
      }
    }
    const lastTimes = [value['assistantLastMessagedAt'], value['userLastMessagedAt']]
      .map((time) => timeFrom(time, 'milliseconds') ?? '')
      .sort();
    return {
      // The file's only identity is when it was created, to the millisecond.
      id: createdAt ?? JSON.stringify(value['messages']),
      title: stringIn(value['name']),
      createdAt,
      updatedAt: lastTimes.at(-1) || createdAt,
      pinned: value['pinned'] === true,
      nodes,
      current: before,
      hasInstruction: stringIn(value['systemPrompt']).trim() !== '',
    };
  },
};

function readVersion(version: Fields, parent: string | null, model: string | null): SourceNode {
  const { role } = version;
  const common = { parent, createdAt: null };
  if (role === 'user') return { ...common, role, parts: itemsIn(version['content']).flatMap(contentPart) };
  if (role !== 'assistant') return hidden(parent, role === 'system');
  const steps = objects(version['steps']);
  const isSingle = steps.length === 0;
  const parts = isSingle ? itemsIn(version['content']).flatMap(contentPart) : steps.flatMap(stepParts);
  const reasons = steps.map(({ genInfo }) => fieldsOf(fieldsOf(genInfo)['stats'])['stopReason']);
  const reason = stringIn(reasons.findLast((each) => each !== undefined));
  return {
    ...common,
    role,
    model: modelOf(version, steps) ?? model,
    parts: [...parts, ...cutPart(reason === 'userStopped', reason.endsWith('Reached'))],
  };
}

function nameOf(model: unknown): string | null {
  const { identifier, indexedModelIdentifier } = fieldsOf(model);
  return textOf(identifier) ?? textOf(indexedModelIdentifier);
}

function modelOf(version: Fields, steps: readonly Fields[]): string | null {
  const names = [
    ...steps.map(({ genInfo }) => nameOf(genInfo)),
    textOf(fieldsOf(version['senderInfo'])['senderName']),
  ];
  return names.find((name) => name !== null) ?? null;
}

function stepParts(step: Fields): SourcePart[] {
  if (step['type'] !== 'contentBlock') return [];
  const parts = itemsIn(step['content']).flatMap(contentPart);
  if (fieldsOf(step['style'])['type'] !== 'thinking') return parts;
  return parts.map((part) => (part.kind === 'text' ? { kind: 'reasoning', text: part.text } : part));
}

function contentPart(part: unknown): SourcePart[] {
  if (!isObject(part)) return [];
  switch (part['type']) {
    case 'text':
      return textPart(part['text']);
    case 'file':
      return [missing(part['fileType'] === 'image' ? 'image' : 'file', textOf(part['fileIdentifier']))];
    case 'toolCallRequest':
      return [
        call(textOf(part['toolCallRequestId']) ?? textOf(part['callId']), part['name'], part['parameters']),
      ];
    case 'toolCallResult':
      return [
        result('', callInput(part['content']), false, textOf(part['toolCallId']) ?? textOf(part['callId'])),
      ];
    default:
      return textPart(part['text']);
  }
}
