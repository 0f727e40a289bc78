/** Turns validation errors into sentences that say what would be right. */
import type { FastifySchemaValidationError } from 'fastify';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { withThousands } from '../../shared/numbers.ts';
import { AppError, type ErrorDetail } from '../errors.ts';

/** What Ajv adds to an error in verbose mode, as far as it is used here. */
interface VerboseError extends FastifySchemaValidationError {
  parentSchema?: JsonSchema;
}

/** What a value must be, to follow "must be": the schema's `expected`, else what its rules say; undefined: nothing simple. */
export function expectedOf(schema: JsonSchema): string | undefined {
  const { type, enum: choices, anyOf, minimum, maximum, expected } = schema;
  if (expected !== undefined) return expected;
  if (choices !== undefined) return eitherOf(choices.map((choice) => JSON.stringify(choice)));
  if (anyOf !== undefined) {
    const [first, second, ...others] = anyOf;
    const words = first && second?.type === 'null' && others.length === 0 ? expectedOf(first) : undefined;
    return words && `${words}, or null`;
  }
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return textWords(schema);
  if (type !== 'integer' && type !== 'number') return undefined;
  const from = minimum === undefined ? '' : ` from ${withThousands(minimum)}`;
  const to = maximum === undefined ? '' : ` to ${withThousands(maximum)}`;
  return `a ${type === 'integer' ? 'whole ' : ''}number${from}${to}`;
}

/** Loaded only for an error, as `Intl` takes a while. British English has no comma before "or". */
const eitherOf = (words: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

function textWords({ minLength = 0, maxLength, pattern }: JsonSchema): string | undefined {
  const isNotBlank = pattern === '\\S';
  if (maxLength === undefined || (pattern !== undefined && !isNotBlank)) return undefined;
  const from = isNotBlank ? 1 : minLength;
  const length = from > 0 ? `${from} to ${withThousands(maxLength)}` : `at most ${withThousands(maxLength)}`;
  return `text of ${length} characters${isNotBlank ? ' that is not only white space' : ''}`;
}

const wantedBy = (schema: JsonSchema | undefined): string | undefined =>
  schema && (expectedOf(schema) ?? schema.description);

const PARTS: Readonly<Record<string, string>> = {
  body: 'The body',
  querystring: 'The query',
  params: 'The path',
  headers: 'The headers',
};

/** The refusal of a request whose `part` (`body`, `querystring`, …) doesn't fit its schema. */
export function validationRefusal(part: string, errors: readonly FastifySchemaValidationError[]): AppError {
  const byPath = new Map<string, ErrorDetail>();
  const choices = new Set(
    errors.filter(({ keyword }) => keyword === 'anyOf').map((error) => error.instancePath),
  );
  for (const error of errors) {
    // What one choice requires isn't required by all.
    if (error.keyword === 'required' && choices.has(error.instancePath)) continue;
    const detail = describe(part, error);
    // The errors of each choice come first, but that none fits says more.
    if (!byPath.has(detail.path) || error.keyword === 'anyOf') byPath.set(detail.path, detail);
  }
  const details = [...byPath.values()];
  return new AppError('invalid_request', details.map(({ message }) => message).join(' '), { details });
}

function describe(part: string, error: VerboseError): ErrorDetail {
  const missing = error.keyword === 'required' ? String(error.params['missingProperty']) : null;
  const path = missing === null ? error.instancePath : `${error.instancePath}/${missing}`;
  const name = path.slice(1).replaceAll('/', '.');
  if (name === '') return { path, message: `${PARTS[part] ?? 'The request'} must be a JSON object.` };
  if (missing !== null) {
    const wanted = wantedBy(error.parentSchema?.properties?.[missing]);
    return { path, message: `"${name}" is missing${wanted === undefined ? '' : `: it must be ${wanted}`}.` };
  }
  const wanted = wantedBy(error.parentSchema);
  return {
    path,
    message: `"${name}" ${wanted === undefined ? (error.message ?? 'is not valid') : `must be ${wanted}`}.`,
  };
}
