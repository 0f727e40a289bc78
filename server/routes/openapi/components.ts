/**
 * The schemas of shared/api for OpenAPI 3.1, which takes JSON Schema unchanged. Each object schema that shared/api exports
 * is a component under its name, and everything that contains it refers to it.
 */
import type { TSchema } from 'typebox';
import * as agent from '../../../shared/api/agent.ts';
import * as approval from '../../../shared/api/approval.ts';
import * as attachment from '../../../shared/api/attachment.ts';
import * as catalog from '../../../shared/api/catalog.ts';
import * as chat from '../../../shared/api/chat.ts';
import { baseOf, ErrorBody } from '../../../shared/api/common.ts';
import * as connection from '../../../shared/api/connection.ts';
import * as context from '../../../shared/api/context.ts';
import * as data from '../../../shared/api/data.ts';
import * as draft from '../../../shared/api/draft.ts';
import * as event from '../../../shared/api/event.ts';
import * as folder from '../../../shared/api/folder.ts';
import * as health from '../../../shared/api/health.ts';
import * as key from '../../../shared/api/key.ts';
import * as mcp from '../../../shared/api/mcp.ts';
import * as message from '../../../shared/api/message.ts';
import * as messageRequests from '../../../shared/api/message-requests.ts';
import * as note from '../../../shared/api/note.ts';
import * as parameters from '../../../shared/api/parameters.ts';
import * as project from '../../../shared/api/project.ts';
import * as prompt from '../../../shared/api/prompt.ts';
import * as requestLog from '../../../shared/api/request-log.ts';
import * as search from '../../../shared/api/search.ts';
import * as schedule from '../../../shared/api/schedule.ts';
import * as session from '../../../shared/api/session.ts';
import * as settings from '../../../shared/api/settings.ts';
import * as skill from '../../../shared/api/skill.ts';
import * as storage from '../../../shared/api/storage.ts';
import * as workspace from '../../../shared/api/workspace.ts';
import type { JsonSchema } from '../../../shared/json-schema.ts';
import { isObject } from '../../lib/fields.ts';
import { takesNull } from '../../plugins/null-fields.ts';
import { expectedOf } from '../../plugins/validation-words.ts';

/** A part of the document. */
export type Json = Record<string, unknown>;

const MODULES: readonly object[] = [
  [agent, approval, attachment, catalog, chat, connection, context, data, draft, event, folder],
  [health, key, mcp, message, messageRequests, note, parameters, project, prompt, requestLog],
  [schedule, search, session, settings, skill, storage, workspace, { Error: ErrorBody }],
].flat();

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties']);
const SEVERAL = new Set(['anyOf', 'allOf', 'oneOf']);
const NAMED = new Set(['properties', 'patternProperties']);

/** Turns schemas into the document's. */
export type Components = ReturnType<typeof createComponents>;

/** The components of one document. */
export function createComponents() {
  const schemas = MODULES.flatMap((module) => Object.entries<unknown>({ ...module })).filter(
    (entry): entry is [string, TSchema] => isObjectSchema(entry[1]),
  );
  const byIdentity = new Map(schemas.map(([name, schema]) => [schema, name]));
  // What is optional is a copy.
  const byText = new Map(schemas.map(([name, schema]) => [JSON.stringify(schema), name]));
  const used = new Map<string, Json>();

  /** The schema, or a reference to it. */
  const toSchema = (schema: TSchema): Json => {
    const base = baseOf(schema);
    const name = byIdentity.get(base) ?? byText.get(JSON.stringify(base));
    if (name === undefined) return convert(schema);
    if (!used.has(name)) {
      // It may hold itself.
      used.set(name, {});
      const converted = convert(base);
      used.set(name, name.endsWith('Body') ? withNulls(converted) : converted);
    }
    const words = wordsOf(schema);
    return { $ref: `#/components/schemas/${name}`, ...(words !== wordsOf(base) && { description: words }) };
  };

  const convert = (schema: TSchema): Json => {
    const converted: Json = {};
    for (const [keyword, value] of Object.entries(schema as Json)) {
      if (keyword === 'expected' || keyword === 'description') continue;
      if (ONE.has(keyword) && typeof value === 'object') converted[keyword] = toSchema(value as TSchema);
      else if (SEVERAL.has(keyword)) converted[keyword] = (value as TSchema[]).map(toSchema);
      else if (NAMED.has(keyword)) {
        const entries = Object.entries(value as Record<string, TSchema>);
        converted[keyword] = Object.fromEntries(entries.map(([key, one]) => [key, toSchema(one)]));
      } else converted[keyword] = value;
    }
    const description = wordsOf(schema);
    return description === undefined ? converted : { ...converted, description };
  };

  return {
    toSchema,
    /** The schemas that were referred to so far, by name. */
    used: (): Json => Object.fromEntries([...used].sort(([a], [b]) => a.localeCompare(b))),
  };
}

/** The schema of a request’s body, in which a field that may be absent may be null. */
function withNulls(schema: Json): Json {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, field]) => {
    const isAdded = !required.includes(name) && !takesNull(field);
    const { description, ...rest } = field;
    return [name, isAdded ? { anyOf: [rest, { type: 'null' }], description } : field];
  });
  return { ...schema, properties: Object.fromEntries(fields) as Json };
}

const isObjectSchema = (value: unknown): value is TSchema =>
  isObject(value) && (value['type'] === 'object' || 'allOf' in value);

/** A schema's description, and what values it takes where the schema itself doesn't show that. */
function wordsOf(schema: TSchema): string | undefined {
  const { description, expected, type } = schema as JsonSchema;
  const wanted = expected ?? (type === 'string' ? expectedOf(schema) : undefined);
  return wanted === undefined ? description : [description, `Must be ${wanted}.`].filter(Boolean).join(' ');
}
