import { Type, type Static } from 'typebox';
import { choice, list, object, optional, orNull, partial, text, Timestamp, whole } from './common.ts';

export const RecentRequest = object(
  'A recent request to the service, without keys, bodies or search words.',
  {
    number: whole('Increases by one with each request. Starts over with the service.'),
    time: Timestamp,
    method: text('Empty, like the path, if it was not a valid HTTP request.', 'GET'),
    path: text(
      'Path and query. Keys, and values that may hold what somebody wrote, are replaced by `…`.',
      '/api/v1/chats?page=1',
    ),
    status: whole('Status of the response; 0: the client disconnected first, or a webhook got none.'),
    ...optional({
      problem: text('Why a webhook got no response, in a sentence.'),
    }),
    durationMs: Type.Number({
      description: 'Milliseconds from the arrival of the headers to the end of the response.',
    }),
    caller: orNull(
      Type.String(),
      "Who sent it: the name of a key, `window` for Parley's own page, or null if there was no valid key.",
    ),
    requestId: text('The `X-Request-Id` of the response.', 'req-4f2a9c-17'),
  },
);
export type RecentRequest = Static<typeof RecentRequest>;

/** Query of `GET /api/v1/requests`. */
export const RequestsQuery = partial({
  after: text('Only requests with a higher number.', {
    pattern: '^[0-9]{1,15}$',
    expected: 'the number of a request',
  }),
  external: choice(['true', 'false'], "`true` leaves out the requests of Parley's own page."),
});

/** Answer of `GET /api/v1/requests`, newest first; needs the scope `admin`. */
export const RecentRequests = Type.Object({
  requests: list(RecentRequest, 'Newest first.'),
});
export type RecentRequests = Static<typeof RecentRequests>;
