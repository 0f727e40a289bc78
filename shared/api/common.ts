import { Type, type Static } from 'typebox';
import { API_ERROR_CODES } from '../errors.ts';
import { AGENT_TYPE_PATTERN } from '../limits.ts';

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

/** A positive whole number in a query, as text: `1e3`, `1.5`, `+1`, `01` and white space are refused. */
export const PositiveNumber = Type.String({
  pattern: '^[1-9][0-9]*$',
  description: 'a whole number of at least 1, in plain digits',
});

/** What agents are told apart by. */
export const AgentType = Type.String({
  pattern: AGENT_TYPE_PATTERN,
  description: '1 to 64 letters, digits, "_" or "-"',
});

/** Which workspace a request is about; empty is the same as absent. */
export const WorkspaceId = Type.String({ description: 'the id of a workspace, once' });

/** Query of the endpoints that take nothing else. Unknown parameters are ignored everywhere. */
export const WorkspaceQuery = Type.Object({ workspaceId: Type.Optional(WorkspaceId) });
export type WorkspaceQuery = Static<typeof WorkspaceQuery>;
