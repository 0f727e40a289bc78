/**
 * What servers send, before the library sees it: it refuses a whole answer for one field that isn't as the protocol has it, such as a
 * description that is null.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Lets a transport hand on messages that are tidied. Call it before the transport is used. */
export function tidyMessages<T extends Transport>(transport: T): T {
  let listener: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => listener,
    set: (next: Transport['onmessage']) => {
      listener = next && ((message, extra) => next(tidyMessage(message) as typeof message, extra));
    },
  });
  return transport;
}

/** Its result with what the protocol allows, where that is plain; all else as it came. */
function tidyMessage(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result: Fields = message.result;
  if (Array.isArray(result['tools'])) return { ...message, result: tidyListing(result, result['tools']) };
  if (isObject(result['serverInfo'])) return { ...message, result: tidyIntroduction(result) };
  if (Array.isArray(result['content'])) return { ...message, result: tidyOutput(result, result['content']) };
  return message;
}

function tidyListing(result: Fields, tools: unknown[]): Fields {
  const next = textOf(result['nextCursor']);
  return { ...defined(result), nextCursor: next === '' ? undefined : next, tools: tools.map(tidyTool) };
}

/** Schemas that can't be used get this, by which the tool is left out later. */
export const UNREADABLE_SCHEMA = 'unreadable';

function tidyTool(sent: unknown): Fields {
  const tool = isObject(sent) ? sent : {};
  const annotations = isObject(tool['annotations']) ? tool['annotations'] : {};
  const { readOnlyHint } = annotations;
  const execution = isObject(tool['execution']) ? tool['execution'] : {};
  return {
    name: textOf(tool['name']) ?? '',
    inputSchema: tidySchema(tool['inputSchema']),
    annotations: defined({
      title: textOf(annotations['title']),
      readOnlyHint: typeof readOnlyHint === 'boolean' ? readOnlyHint : undefined,
    }),
    ...defined({ title: textOf(tool['title']), description: textOf(tool['description']) }),
    ...(execution['taskSupport'] === 'required' && { execution: { taskSupport: 'required' } }),
  };
}

/** Input is always an object, so a schema that doesn't say so means it. */
function tidySchema(schema: unknown): Fields {
  if (schema === undefined || schema === null) return { type: 'object' };
  if (!isObject(schema)) return { type: 'object', [UNREADABLE_SCHEMA]: true };
  const { type = 'object', properties, required, ...rest } = schema;
  const isOfObjects = type === null || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return {
    ...rest,
    type: 'object',
    ...(isObject(properties) && { properties }),
    ...(Array.isArray(required) && { required: required.filter((name) => typeof name === 'string') }),
    ...(!isOfObjects && { [UNREADABLE_SCHEMA]: true }),
  };
}

function tidyIntroduction(result: Fields): Fields {
  const { name, version, ...info } = defined(isObject(result['serverInfo']) ? result['serverInfo'] : {});
  const capabilities = isObject(result['capabilities']) ? result['capabilities'] : {};
  return {
    ...defined(result),
    instructions: textOf(result['instructions']),
    serverInfo: { ...info, name: textOf(name) ?? '', version: textOf(version) ?? '' },
    capabilities: Object.fromEntries(
      Object.entries(capabilities).map(([key, value]) => [key, isObject(value) ? value : {}]),
    ),
  };
}

function tidyOutput(result: Fields, content: unknown[]): Fields {
  const structured = result['structuredContent'];
  return {
    ...defined(result),
    isError: result['isError'] === true,
    structuredContent: isObject(structured) ? structured : undefined,
    content: content.map(tidyPart),
  };
}

/** A part of a result; one that isn't known is shown to the model as text. */
function tidyPart(sent: unknown): Fields {
  const part = isObject(sent) ? defined(sent) : {};
  const { type, resource } = part;
  const has = (...names: string[]): boolean => names.every((name) => typeof part[name] === 'string');
  const isKnown =
    (type === 'text' && has('text')) ||
    ((type === 'image' || type === 'audio') && has('data', 'mimeType')) ||
    (type === 'resource_link' && has('uri', 'name')) ||
    (type === 'resource' && isObject(resource) && typeof resource['uri'] === 'string');
  return isKnown ? part : { type: 'text', text: JSON.stringify(sent) };
}
