/** Requests generated from the API's document: valid, at the limits, and broken ones; the same for the same seed. */
import fc, { type Arbitrary } from 'fast-check';
import { resolved, type Operation, type Part } from './api-document.ts';
import type { ApiDocument } from '../../server/routes/openapi/document.ts';
import { anyCharacter } from './any-character.ts';

/** A generated request. */
export interface MadeUpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Existing ids, by the names of parameters and fields, so that not all requests miss. */
export type KnownIds = Readonly<Record<string, readonly unknown[]>>;

interface Keywords {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Part[];
  allOf?: Part[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Part;
  properties?: Record<string, Part>;
  patternProperties?: Record<string, Part>;
  required?: string[];
}

/** Longest generated text, in characters; longer ones would only show that the limit is enforced. */
const LONG = 200_100;

/** Generates that many requests of the operation. */
export function madeUpRequests(
  whole: ApiDocument,
  { method, path, described }: Operation,
  { count, seed, known }: { count: number; seed: number; known: KnownIds },
): MadeUpRequest[] {
  const parameters = (described['parameters'] ?? []) as { name: string; in: string; schema: Part }[];
  const ofPlace = (place: string): Record<string, Arbitrary<unknown>> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [name, fromOutside(name, valueOf(whole, schema, name, known))]),
    );
  const { content = {} } = (described['requestBody'] ?? {}) as { content?: Record<string, { schema: Part }> };
  const body = Object.values(content)[0]?.schema;
  const request = fc.record({
    path: fc.record(ofPlace('path')),
    query: fc.record(ofPlace('query'), { requiredKeys: [] }),
    headers: fc.record(ofPlace('header'), { requiredKeys: [] }),
    extra: fc.option(
      fc.constantFrom('x=1', '&&', 'workspaceId=a&workspaceId=b', '%zz', 'limit=1e3', '__proto__=1'),
    ),
    body: body === undefined ? fc.constant(null) : bodyOf(whole, body, known),
    type: oftenOne('application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml'),
  });
  return fc.sample(request, { seed, numRuns: count }).map((one) => {
    const query = Object.entries(one.query).map(
      ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
    );
    const all = [...query, ...(one.extra === null ? [] : [one.extra])].join('&');
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => encodeURIComponent(String(one.path[name])) || 'x',
    );
    const headers = Object.entries(one.headers).map(([name, value]) => [name, asHeader(String(value))]);
    return {
      method,
      path: all === '' ? filled : `${filled}?${all}`,
      headers: {
        ...(Object.fromEntries(headers) as Record<string, string>),
        ...(one.body !== null && { 'content-type': one.type }),
      },
      body: one.body,
    };
  });
}

/** Header values are Latin-1, without line ends. */
const asHeader = (text: string): string =>
  text
    .slice(0, 300)
    .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?')
    .trim();

const oftenOne = (usual: string, ...others: string[]): Arbitrary<string> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

/** A value for a parameter: sometimes valid, sometimes anything a client might send. */
const fromOutside = (name: string, fitting: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fitting },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc
          .string({ unit: anyCharacter, maxLength: 40 })
          .map((text) => text.replaceAll(/[\ud800-\udfff]/g, '')),
        fc.constantFrom(
          '0',
          '-1',
          '1e9',
          '99999999999999999999',
          'null',
          '..',
          '../x',
          '\0',
          "' OR 1=1",
          name,
          '💡',
          'x'.repeat(5_000),
        ),
      ),
    },
  );

/** A body as text: mostly valid, some nearly so, a few not JSON. */
function bodyOf(whole: ApiDocument, schema: Part, known: KnownIds): Arbitrary<string | null> {
  const fitting = valueOf(whole, schema, '', known);
  const broken = fc
    .tuple(
      fitting,
      fc.jsonValue({ maxDepth: 2 }),
      fc.nat(),
      fc.constantFrom('replace', 'drop', 'whole', 'nest'),
    )
    .map(([value, other, index, way]) => {
      if (way === 'whole' || typeof value !== 'object' || value === null) return other;
      const names = Object.keys(value);
      const name = names[index % Math.max(names.length, 1)];
      if (name === undefined) return other;
      if (way === 'drop') return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
      return { ...value, [name]: way === 'nest' ? { [name]: [value] } : other };
    });
  return fc.oneof(
    { weight: 10, arbitrary: fitting.map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: broken.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        null,
        '',
        '{',
        '[]',
        'null',
        '{"a":1}}',
        '\ufeff{}',
        '{"content":"\\ud800"}',
        '{"__proto__":1}',
      ),
    },
  );
}

/** Values that match a schema, often at its limits. */
function valueOf(whole: ApiDocument, part: Part, name: string, known: KnownIds): Arbitrary<unknown> {
  const schema = resolved(whole, part) as Keywords;
  const ids = known[name];
  if (ids !== undefined && ids.length > 0) return fc.constantFrom(...ids);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((one) => valueOf(whole, one, name, known)));
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map((one) => valueOf(whole, one, name, known) as Arbitrary<object>);
    return fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as unknown);
  }
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueOf(whole, schema.items ?? {}, name, known), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objectOf(whole, schema, known);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(whole: ApiDocument, schema: Keywords, known: KnownIds): Arbitrary<unknown> {
  const { properties = {}, patternProperties, required = [] } = schema;
  const [values] = Object.values(patternProperties ?? {});
  if (values !== undefined) {
    return fc.dictionary(fc.string({ maxLength: 12 }), valueOf(whole, values, '', known), { maxKeys: 3 });
  }
  const fields = Object.entries(properties).map(([name, one]) => [name, valueOf(whole, one, name, known)]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: required,
  });
}

function textOf({ pattern, minLength = 0, maxLength }: Keywords): Arbitrary<string> {
  // Lookbehinds can't be generated from; a value without one matches now and then.
  if (pattern !== undefined && pattern !== '\\S')
    return fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?<=[^)]*\)/g, '')));
  const usual = fc.string({ unit: 'grapheme', minLength, maxLength: 40 });
  const limits = [minLength, minLength + 1, ...(maxLength === undefined ? [] : [maxLength, maxLength + 1])];
  const atLimit = fc
    .constantFrom(...limits.filter((length) => length < LONG))
    .map((length) => 'x'.repeat(length));
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: atLimit });
}

function numberOf({ minimum = -5, maximum = 2 ** 53 }: Keywords): Arbitrary<number> {
  const limits = fc.constantFrom(minimum, minimum - 1, maximum, maximum + 1, 0.5);
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }) },
    { weight: 1, arbitrary: limits },
  );
}
