import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

/** One request the service answered lately: never the key, never the text of a body or of a search. */
export const RecentRequest = Type.Object({
  /** Rises by one with each request; starts anew with the service. */
  number: Type.Integer(),
  time: Timestamp,
  /** Empty, and the path too, where what came was no HTTP request. */
  method: Type.String(),
  /** Path and query; values that may say what somebody wrote, and keys wherever they stand, are told as `…`. */
  path: Type.String(),
  /** Of the answer; 0: the client went away before there was one. */
  status: Type.Integer(),
  /** From the arrival of its headers to the end of the answer, in milliseconds. */
  durationMs: Type.Number(),
  /** Who sent it: the name of a key, `window` for Parley's own page, null when nobody vouched for it. */
  caller: Type.Union([Type.String(), Type.Null()]),
  /** The `X-Request-Id` of the answer. */
  requestId: Type.String(),
});
export type RecentRequest = Static<typeof RecentRequest>;

/** Query of `GET /api/v1/requests`. */
export const RequestsQuery = Type.Object({
  /** Only requests with a higher number. */
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description: 'the number of a request' })),
  /** `true` leaves out the requests of Parley's own page. */
  external: Type.Optional(Type.Enum(['true', 'false'], { description: '"true" or "false"' })),
});

/** Answer of `GET /api/v1/requests`, newest first; needs the scope `admin`. */
export const RecentRequests = Type.Object({ requests: Type.Array(RecentRequest) });
export type RecentRequests = Static<typeof RecentRequests>;
