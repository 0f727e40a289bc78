/**
 * The latest requests, in memory, for people who want to see what other programs do here. Every request is noted, and
 * formatted only when somebody reads the list. Parley's own page sends requests all the time; they are kept in a separate
 * ring, so they never displace those of other programs.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import { MAX_RECENT_REQUESTS } from '../../shared/limits.ts';
import { knownCallerOf, requestIdOf } from '../auth/caller.ts';
import { areaOf } from './request-path.ts';
import { shownPath } from './shown-path.ts';

/** Which requests to list. */
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
  /** Why there was no answer, in a sentence. */
  problem?: string;
  /** Nobody vouched for it unless given. */
  caller?: string | null;
  /** 0 unless given. */
  durationMs?: number;
}

/** Remembers the latest requests. */
export type RequestLog = ReturnType<typeof createRequestLog>;

/** As it is kept; `list` formats it. */
interface Entry extends Omit<RecentRequest, 'time' | 'path'> {
  timeMs: number;
  target: string;
}

/** Status of a request whose client went away before there was an answer. */
const NO_ANSWER = 0;
/** Longer targets are cut before they are kept. */
const MAX_TARGET_CHARACTERS = 2_000;
const HEALTH = /^\/health(?:\?|$)/;

/** A log of the latest requests of other programs, and as many of Parley's own page. */
export function createRequestLog() {
  const external: Entry[] = [];
  const internal: Entry[] = [];
  let count = 0;

  const add = (entries: Entry[], entry: Omit<Entry, 'number'>): void => {
    count += 1;
    entries.push({ ...entry, number: count });
    if (entries.length > MAX_RECENT_REQUESTS) entries.shift();
  };

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
    // The page asks for the service's proof all the time, which would push everything else out of its list.
    if (isOwn && HEALTH.test(target)) return;
    add(isOwn ? internal : external, {
      timeMs,
      durationMs: performance.now() - startedAt,
      method: request.method ?? '',
      target: target.slice(0, MAX_TARGET_CHARACTERS),
      status,
      caller: caller?.name ?? null,
      requestId: requestIdOf(request) ?? '',
    });
  };

  return {
    /** Watches a request that has just arrived; it is noted when its answer has ended, however it ends. */
    watch(request: IncomingMessage, response: ServerResponse): void {
      const timeMs = Date.now();
      const startedAt = performance.now();
      response.on('close', () => end(request, response, timeMs, startedAt));
    },
    /** Notes answers to what never became a request, e.g. because it wasn't HTTP, and webhooks that were sent. */
    note({ caller = null, durationMs = 0, ...noted }: NotedRequest): void {
      add(external, { ...noted, caller, timeMs: Date.now(), durationMs });
    },
    /** Newest first. */
    list({ after = 0, externalOnly }: RequestFilter): RecentRequest[] {
      const entries = externalOnly ? external : [...external, ...internal];
      return entries
        .filter(({ number }) => number > after)
        .sort((one, other) => other.number - one.number)
        .slice(0, MAX_RECENT_REQUESTS)
        .map(toRecentRequest);
    },
  };
}

/** What a browser asks for on behalf of Parley's own page, and the page itself, which needs no key. */
const isOfPage = (request: IncomingMessage, target: string, status: number): boolean =>
  request.headers['sec-fetch-site'] === 'same-origin' ||
  (status < 400 && !HEALTH.test(target) && areaOf(target) === 'open');

const toRecentRequest = ({ timeMs, target, durationMs, ...entry }: Entry): RecentRequest => ({
  ...entry,
  time: new Date(timeMs).toISOString(),
  path: shownPath(target),
  durationMs: Math.round(durationMs * 100) / 100,
});
