import { Type, type Static } from 'typebox';
import { optional, orNull, Timestamp } from './common.ts';

export const RecentRequest = Type.Object(
  {
    number: Type.Integer({
      description: 'Increases by one with each request. Starts over with the service.',
    }),
    time: Timestamp,
    method: Type.String({
      examples: ['GET'],
      description: 'Empty, like the path, if it was not a valid HTTP request.',
    }),
    path: Type.String({
      examples: ['/api/v1/chats?page=1'],
      description: 'Path and query. Keys, and values that may hold what somebody wrote, are replaced by `…`.',
    }),
    status: Type.Integer({
      description: 'Status of the response; 0: the client disconnected first, or a webhook got none.',
    }),
    ...optional({
      problem: Type.String({ description: 'Why a webhook got no response, in a sentence.' }),
    }),
    durationMs: Type.Number({
      description: 'Milliseconds from the arrival of the headers to the end of the response.',
    }),
    caller: orNull(Type.String(), {
      description:
        "Who sent it: the name of a key, `window` for Parley's own page, or null if there was no valid key.",
    }),
    requestId: Type.String({
      examples: ['req-4f2a9c-17'],
      description: 'The `X-Request-Id` of the response.',
    }),
  },
  { description: 'A recent request to the service, without keys, bodies or search words.' },
);
export type RecentRequest = Static<typeof RecentRequest>;

/** Query of `GET /api/v1/requests`. */
export const RequestsQuery = Type.Partial(
  Type.Object({
    after: Type.String({
      description: 'Only requests with a higher number.',
      pattern: '^[0-9]{1,15}$',
      expected: 'the number of a request',
    }),
    external: Type.Enum(['true', 'false'], {
      description: "`true` leaves out the requests of Parley's own page.",
    }),
  }),
);

/** Answer of `GET /api/v1/requests`, newest first; needs the scope `admin`. */
export const RecentRequests = Type.Object({
  requests: Type.Array(RecentRequest, { description: 'Newest first.' }),
});
export type RecentRequests = Static<typeof RecentRequests>;
