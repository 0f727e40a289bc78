/**
 * Turns validation errors into sentences. The schema's keyword `expected`, else its `description`, says what would be
 * right.
 */
import type { FastifySchemaValidationError } from 'fastify';
import { AppError, type ErrorDetail } from '../errors.ts';

/** What Ajv adds to an error in verbose mode, as far as it is used here. */
interface VerboseError extends FastifySchemaValidationError {
  parentSchema?: Described & { properties?: Record<string, Described> };
}

interface Described {
  description?: string;
  expected?: string;
}

const wantedBy = (schema: Described | undefined): string | undefined =>
  schema?.expected ?? schema?.description;

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
    // What each choice misses is not what all of them miss.
    if (error.keyword === 'required' && choices.has(error.instancePath)) continue;
    const detail = describe(part, error);
    // What is wrong with each choice comes before that none fits, and says less.
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
