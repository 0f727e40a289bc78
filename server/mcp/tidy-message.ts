/** Tidies what servers send: the library would refuse a whole answer for one odd field, such as a description that is null. */
import {
  LATEST_PROTOCOL_VERSION,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { wordsIn } from '../net/error-words.ts';
import { booleanOf, fieldsOf, isObject, listOf, type Fields } from '../lib/fields.ts';

/** The value, if it is a string; it may be empty. */
const stringOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
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

/** A message as it was sent, with what the library wants of each: it drops the others, and with them the answer. */
export function tidyEnvelope(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const { error, result, ...rest } = defined(sent);
  const { _meta: meta, ...own } = fieldsOf(result);
  return {
    ...rest,
    jsonrpc: '2.0',
    ...(result !== undefined && { result: { ...own, ...(isObject(meta) && { _meta: meta }) } }),
    ...(error !== undefined && { error: tidyError(error) }),
  };
}

function tidyError(error: unknown): Fields {
  const { code, ...rest } = fieldsOf(error);
  const isCode = Number.isSafeInteger(code);
  return { ...rest, code: isCode ? code : ProtocolErrorCode.InternalError, message: wordsIn(error) };
}

/** Its result with what the protocol allows, where that is plain; all else as it came. */
function tidyMessage(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const result: Fields = message.result;
  if ('tools' in result) return { ...message, result: tidyListing(result, listOf(result['tools']) ?? []) };
  if ('serverInfo' in result || 'protocolVersion' in result || 'capabilities' in result)
    return { ...message, result: tidyIntroduction(result) };
  if ('content' in result || 'structuredContent' in result)
    return { ...message, result: tidyOutput(result, result['content'] ?? []) };
  return message;
}

function tidyListing(result: Fields, tools: readonly unknown[]): Fields {
  const { nextCursor: next } = result;
  const isCursor = typeof next === 'string' || typeof next === 'number';
  const nextCursor = isCursor && next !== '' && next !== 0 ? String(next) : undefined;
  return { ...defined(result), nextCursor, tools: tools.map(tidyTool) };
}

/** Schemas that can't be used get this, by which the tool is left out later. */
export const UNREADABLE_SCHEMA = 'unreadable';

function tidyTool(sent: unknown): Fields {
  const tool = fieldsOf(sent);
  const annotations = fieldsOf(tool['annotations']);
  return {
    name: stringOf(tool['name']) ?? '',
    inputSchema: tidySchema(tool['inputSchema']),
    annotations: defined({
      title: stringOf(annotations['title']),
      readOnlyHint: booleanOf(annotations['readOnlyHint']),
    }),
    ...defined({ title: stringOf(tool['title']), description: stringOf(tool['description']) }),
    ...(fieldsOf(tool['execution'])['taskSupport'] === 'required' && {
      execution: { taskSupport: 'required' },
    }),
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

/** A server that names another version, or no abilities, is asked for its tools all the same. */
function tidyIntroduction(result: Fields): Fields {
  const { name, version, ...info } = defined(fieldsOf(result['serverInfo']));
  const { protocolVersion, capabilities } = result;
  const isKnown = SUPPORTED_PROTOCOL_VERSIONS.some((known) => known === protocolVersion);
  return {
    ...defined(result),
    protocolVersion: isKnown ? protocolVersion : LATEST_PROTOCOL_VERSION,
    instructions: stringOf(result['instructions']),
    serverInfo: { ...info, name: stringOf(name) ?? '', version: stringOf(version) ?? '' },
    capabilities: Object.fromEntries(
      Object.entries(isObject(capabilities) ? capabilities : { tools: {} }).map(([key, value]) => [
        key,
        defined(fieldsOf(value)),
      ]),
    ),
  };
}

function tidyOutput(result: Fields, content: unknown): Fields {
  const parts = listOf(content) ?? [typeof content === 'string' ? { type: 'text', text: content } : content];
  const structured = result['structuredContent'];
  return {
    ...defined(result),
    isError: result['isError'] === true,
    structuredContent: isObject(structured) ? structured : undefined,
    content: parts.map(tidyPart),
  };
}

/** A part of a result; one that isn't known is shown to the model as text. */
function tidyPart(sent: unknown): Fields {
  const part = defined(fieldsOf(sent));
  const { type, resource } = part;
  const has = (...names: string[]): boolean => names.every((name) => typeof part[name] === 'string');
  const isKnown =
    (type === 'text' && has('text')) ||
    ((type === 'image' || type === 'audio') && has('data', 'mimeType')) ||
    (type === 'resource_link' && has('uri', 'name')) ||
    (type === 'resource' && isObject(resource) && typeof resource['uri'] === 'string');
  return isKnown ? part : { type: 'text', text: JSON.stringify(sent) };
}
