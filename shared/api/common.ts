import {
  Type,
  type Static,
  type TArrayOptions,
  type TNumberOptions,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
} from 'typebox';
import { API_ERROR_CODES } from '../errors.ts';
import { AGENT_TYPE_PATTERN } from '../limits.ts';

/** The schema with another description, for a field where it means something more specific. */
export function described<T extends TSchema>(schema: T, description: string): T {
  const own = Object.getOwnPropertyDescriptors(schema);
  return Object.create(Object.prototype, {
    ...own,
    description: { value: description, enumerable: true },
    // The schema under whose name the API document lists it.
    '~base': { value: baseOf(schema) },
  }) as T;
}

/** A text: what it is, and an example or other keywords. */
export const text = (description: string, more?: string | TStringOptions) =>
  Type.String(keywords(description, more));

/** A whole number: what it is, and an example or other keywords. */
export const whole = (description: string, more?: number | TNumberOptions) =>
  Type.Integer(keywords(description, more));

const keywords = <Options extends TSchemaOptions>(description: string, more?: string | number | Options) =>
  typeof more === 'object' ? { description, ...more } : { description, ...(more && { examples: [more] }) };

/** True or false. */
export const flag = (description: string) => Type.Boolean({ description });

/** True, or absent. */
export const marker = (description: string) => Type.Literal(true, { description });

/** One of those texts. Gemini's API and generators of clients want to read the `type` as well. */
export const choice = <Values extends string[]>(values: readonly [...Values], description?: string) =>
  Type.Enum(values, { type: 'string', ...(description !== undefined && { description }) });

/** A list. */
export const list = <T extends TSchema>(items: T, description: string, more?: TArrayOptions) =>
  Type.Array(items, { description, ...more });

/** An object with these fields. */
export const object = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description });

/** An object whose fields may all be absent. */
export const partial = <Fields extends TProperties>(fields: Fields, options?: TObjectOptions) =>
  Type.Partial(Type.Object(fields), options);

/** The schema, or null: its description, or all its keywords. */
export const orNull = <T extends TSchema>(schema: T, words: string | TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], typeof words === 'string' ? { description: words } : words);

/** Fields that may be absent. */
export const optional = <Fields extends TProperties>(fields: Fields) => partial(fields).properties;

/** The schema that was {@link described} as `schema`, or that itself. */
export const baseOf = (schema: TSchema): TSchema => (schema as { '~base'?: TSchema })['~base'] ?? schema;

export const Timestamp = Type.String({
  description: 'An ISO 8601 UTC time with milliseconds.',
  examples: ['2026-11-20T12:45:00.000Z'],
});

/** Such a time: what happened then. */
export const time = (description: string) => described(Timestamp, description);

/** The body of every error response. */
export const ErrorBody = Type.Object({
  error: Type.Object(
    {
      code: choice(API_ERROR_CODES, 'The error code, for programs.'),
      message: Type.String({
        examples: ['There is no such chat in this workspace; check its id.'],
        description: 'One sentence a person can act on.',
      }),
      requestId: Type.String({
        examples: ['req-4f2a9c-17'],
        description: 'The same as the `X-Request-Id` header.',
      }),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            path: Type.String({ description: 'A JSON pointer into the body, or the name of a parameter.' }),
            message: Type.String(),
          }),
          { description: 'One entry for each problem, where there can be several.' },
        ),
      ),
    },
    { description: 'What went wrong.' },
  ),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const PositiveNumber = Type.String({
  pattern: '^[1-9][0-9]*$',
  expected: 'a whole number of at least 1, in plain digits',
});

export const AgentType = Type.String({
  description: 'Identifies the agent.',
  pattern: AGENT_TYPE_PATTERN,
  expected: '1 to 64 letters, digits, "_" or "-"',
});

export const WorkspaceId = Type.String({
  description: 'The workspace to work in; empty counts as absent.',
  expected: 'the id of a workspace, once',
});

/** Query of the endpoints that take no other parameter. Unknown parameters are always ignored. */
export const WorkspaceQuery = Type.Object({ workspaceId: Type.Optional(WorkspaceId) });
