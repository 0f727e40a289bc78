import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

export const RecentRequest = Type.Object(
  {
    number: Type.Integer({ description: 'Rises by one with each request; starts anew with the service.' }),
    time: Timestamp,
    method: Type.String({
      examples: ['GET'],
      description: 'Empty, and the path too, where what came was no HTTP request.',
    }),
    path: Type.String({
      examples: ['/api/v1/chats?page=1'],
      description:
        'Path and query; values that may say what somebody wrote, and keys wherever they stand, are told as `…`.',
    }),
    status: Type.Integer({ description: 'Of the answer; 0: the client went away before there was one.' }),
    durationMs: Type.Number({
      description: 'From the arrival of its headers to the end of the answer, in milliseconds.',
    }),
    caller: Type.Union([Type.String(), Type.Null()], {
      description:
        "Who sent it: the name of a key, `window` for Parley's own page, null when nobody vouched for it.",
    }),
    requestId: Type.String({ examples: ['req-4f2a9c-17'], description: 'The `X-Request-Id` of the answer.' }),
  },
  {
    description:
      'One request the service answered lately: never the key, never the text of a body or of a search.',
  },
);
export type RecentRequest = Static<typeof RecentRequest>;

/** Query of `GET /api/v1/requests`. */
export const RequestsQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description: 'Only requests with a higher number.',
      pattern: '^[0-9]{1,15}$',
      expected: 'the number of a request',
    }),
  ),
  external: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: "`true` leaves out the requests of Parley's own page.",
      expected: '"true" or "false"',
    }),
  ),
});

/** Answer of `GET /api/v1/requests`, newest first; needs the scope `admin`. */
export const RecentRequests = Type.Object({
  requests: Type.Array(RecentRequest, { description: 'Newest first.' }),
});
export type RecentRequests = Static<typeof RecentRequests>;
