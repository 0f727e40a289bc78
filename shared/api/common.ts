import { Type, type Static } from 'typebox';
import { API_ERROR_CODES } from '../errors.ts';

/** An ISO 8601 UTC time with milliseconds, e.g. `2026-11-20T12:45:00.000Z`. */
export const Timestamp = Type.String({ description: 'ISO 8601 UTC with milliseconds' });

/** The body of every answer that is an error. */
export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.Enum([...API_ERROR_CODES]),
    /** One sentence a person can act on. */
    message: Type.String(),
    /** The same as the `X-Request-Id` header. */
    requestId: Type.String(),
    /** One entry for each thing that is wrong, where there can be several. */
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
