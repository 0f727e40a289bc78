/**
 * The latest requests, in memory, for people who want to see what other programs do here. Every request is noted, so
 * formatting is left until somebody looks. Parley's own page sends requests all the time; they are kept in a separate
 * ring, so they never displace those of other programs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import { MAX_RECENT_REQUESTS } from '../../shared/limits.ts';
import { knownCallerOf, requestIdOf } from '../auth/caller.ts';
import { areaOf } from './request-path.ts';
import { shownPath } from './shown-path.ts';

/** Which of the requests to tell. */
export interface RequestFilter {
  /** Only those with a higher number; all when absent. */
  after?: number;
  /** Leaves out requests of Parley's own page, including those for its files. */
  externalOnly: boolean;
}

/** Entries other than requests to this service. */
export interface NotedRequest {
  method: string;
  target: string;
  status: number;
  requestId: string;
  /** Nobody vouched for it unless given. */
  caller?: string;
  /** 0 unless given. */
  durationMs?: number;
}

/** Remembers the latest requests. */
export interface RequestLog {
  /** Watches a request that has just arrived; it is noted when its answer has ended, however it ends. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Notes answers to what never became a request, e.g. because it wasn't HTTP, and webhooks that were sent. */
  note(noted: NotedRequest): void;
  /** Newest first. */
  list(filter: RequestFilter): RecentRequest[];
}

interface Entry {
  number: number;
  timeMs: number;
  durationMs: number;
  method: string;
  target: string;
  status: number;
  caller: string | null;
  requestId: string;
}

/** Status of a request whose client went away before there was an answer. */
const NO_ANSWER = 0;
/** Longer targets are cut before they are kept. */
const MAX_TARGET_CHARACTERS = 2_000;
const HEALTH = /^\/health(?:\?|$)/;

/** A log of the latest `size` requests of other programs, and as many of Parley's own page. */
export function createRequestLog(size = MAX_RECENT_REQUESTS): RequestLog {
  const external = createRing(size);
  const internal = createRing(size);
  let count = 0;

  const end = (
    request: IncomingMessage,
    response: ServerResponse,
    timeMs: number,
    startedAt: number,
  ): void => {
    const caller = knownCallerOf(request);
    const target = request.url ?? '';
    const status = response.headersSent ? response.statusCode : NO_ANSWER;
    const isOwn = caller === null ? isOfPage(request, target, status) : caller.kind !== 'key';
    // The page asks for the service's proof all the time, which would push out what it is about.
    if (isOwn && HEALTH.test(target)) return;
    count += 1;
    (isOwn ? internal : external).add({
      number: count,
      timeMs,
      durationMs: performance.now() - startedAt,
      method: request.method ?? '',
      target: target.length > MAX_TARGET_CHARACTERS ? target.slice(0, MAX_TARGET_CHARACTERS) : target,
      status,
      caller: caller === null ? null : caller.name,
      requestId: requestIdOf(request) ?? '',
    });
  };

  return {
    watch(request, response) {
      const timeMs = Date.now();
      const startedAt = performance.now();
      response.on('close', () => end(request, response, timeMs, startedAt));
    },
    note({ caller, durationMs = 0, ...noted }) {
      count += 1;
      const entry = { ...noted, caller: caller ?? null, timeMs: Date.now(), durationMs };
      external.add({ ...entry, number: count });
    },
    list({ after = 0, externalOnly }) {
      const entries = externalOnly ? external.list() : [...external.list(), ...internal.list()];
      return entries
        .filter(({ number }) => number > after)
        .sort((one, other) => other.number - one.number)
        .slice(0, size)
        .map(toRecentRequest);
    },
  };
}

/** What a browser asks for on behalf of Parley's own page, and the page itself, which needs no key. */
const isOfPage = (request: IncomingMessage, target: string, status: number): boolean =>
  request.headers['sec-fetch-site'] === 'same-origin' ||
  (status < 400 && !HEALTH.test(target) && areaOf(target) === 'open');

function createRing(size: number): { add(entry: Entry): void; list(): Entry[] } {
  const entries: Entry[] = [];
  let next = 0;
  return {
    add(entry) {
      entries[next] = entry;
      next = (next + 1) % size;
    },
    list: () => entries,
  };
}

const toRecentRequest = (entry: Entry): RecentRequest => ({
  number: entry.number,
  time: new Date(entry.timeMs).toISOString(),
  method: entry.method,
  path: shownPath(entry.target),
  status: entry.status,
  durationMs: Math.round(entry.durationMs * 100) / 100,
  caller: entry.caller,
  requestId: entry.requestId,
});
