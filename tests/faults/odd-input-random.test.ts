import { describe, expect, it } from 'vitest';
import { API_ERROR_CODES } from '../../shared/errors.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { rounds } from '../support/effort.ts';
import { startSharedService, type TestAnswer, type TestRequest } from '../support/service.ts';

const REQUESTS = rounds(4_500);
const SIDE_BY_SIDE = 16;
const SEED = 20_261_120;

/** Numbers from 0 up to 1, the same at every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const api = await startSharedService();

const METHODS = [
  'GET',
  'POST',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'LINK',
  'SEARCH',
];
const SEGMENTS = [
  'api',
  'v1',
  'chats',
  'messages',
  'stop',
  'session',
  'workspaces',
  'connections',
  'test',
  'refresh',
  'health',
  '',
  '.',
  '..',
  '%2f',
  '%00',
  '%zz',
  '%ff',
  '*',
  'assets',
  'x',
];
const TYPES = [
  'application/json',
  'application/json;charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  '',
  'x',
  'multipart/form-data',
  'application/xml',
];
const HEADERS = [
  'x-workspace-id',
  'idempotency-key',
  'origin',
  'host',
  'accept',
  'expect',
  'if-match',
  'x-forwarded-host',
  'content-encoding',
  'accept-version',
];
const NAMES = [
  'content',
  'mode',
  'agentType',
  'workspaceId',
  '__proto__',
  'constructor',
  'id',
  '',
  'after',
  'limit',
  'page',
  'pageSize',
  'archived',
  'pinned',
  'deleted',
  'title',
  'unread',
  'model',
  'name',
  'scope',
  'expiresAt',
  'messageId',
  'text',
  'updatedAt',
  'q',
  'format',
  'version',
  'chats',
  'theme',
  'port',
  'allowedOrigins',
  'turnTimeoutMinutes',
  'provider',
  'baseUrl',
  'apiKey',
  'connectionId',
  'defaultModel',
];

function createRequests(random: () => number, chats: Chat[]): () => TestRequest {
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly [T, ...T[]] | T[]): T => items[upTo(items.length)] as T;
  const chance = (of: number): boolean => random() < of;
  const text = (): string => {
    const units = Array.from({ length: upTo(12) }, () => upTo(chance(0.7) ? 0x7f : 0x1_0000));
    return chance(0.4)
      ? pick(['agent', 'chat', 'true', '1', '20', 'What is 2 + 2?', 'null', ''])
      : String.fromCharCode(...units);
  };
  const value = (depth = 0): unknown => {
    switch (upTo(depth > 3 ? 5 : 8)) {
      case 0:
        return null;
      case 1:
        return chance(0.5);
      case 2:
        return (random() - 0.5) * 10 ** upTo(300);
      case 3:
      case 4:
        return text();
      case 5:
        return 'y'.repeat(upTo(3_000));
      case 6:
        return Array.from({ length: upTo(5) }, () => value(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: upTo(6) }, () => [chance(0.8) ? pick(NAMES) : text(), value(depth + 1)]),
        );
    }
  };
  const path = (): string => {
    const known = pick(chats).id;
    const base = chance(0.6)
      ? pick([
          '/api/v1/chats',
          `/api/v1/chats/${known}`,
          `/api/v1/chats/${known}/messages`,
          `/api/v1/chats/${known}/stop`,
          // More often than what deletes it, so that it is there for the others.
          `/api/v1/chats/${known}/restore`,
          `/api/v1/chats/${known}/restore`,
          `/api/v1/chats/${known}/retry`,
          `/api/v1/chats/${known}/export`,
          `/api/v1/chats/${known}/messages/${encodeURIComponent(text().toWellFormed())}/${pick(['edit', 'show', 'restore', ''])}`,
          '/api/v1/search',
          '/api/v1/drafts',
          '/api/v1/drafts/new',
          '/api/v1/agents',
          '/api/v1/models',
          '/api/v1/keys',
          '/api/v1/keys/local',
          `/api/v1/keys/${known}`,
          '/api/v1/settings',
          '/api/v1/requests',
          '/api/v1/data',
          '/api/v1/export',
          '/api/v1/import',
          '/api/v1/backups',
          `/api/v1/backups/${encodeURIComponent(text().toWellFormed())}`,
          `/api/v1/workspaces/${known}`,
          '/api/v1/session',
          '/api/v1/sessions',
          `/api/v1/sessions/${known}`,
          '/api/v1/page-link',
          '/api/v1/workspaces',
          '/api/v1/connections',
          '/api/v1/connections/test',
          `/api/v1/connections/${known}`,
          `/api/v1/connections/${known}/refresh`,
          '/health',
          `/health?nonce=${encodeURIComponent(text().toWellFormed())}`,
          '/',
        ])
      : `/${Array.from({ length: upTo(7) }, () => (chance(0.8) ? pick(SEGMENTS) : encodeURIComponent(text().toWellFormed()))).join('/')}`;
    if (chance(0.5)) return base;
    const pairs = Array.from(
      { length: upTo(4) },
      () => `${pick(NAMES)}=${chance(0.9) ? encodeURIComponent(text().toWellFormed()) : '%zz'}`,
    );
    return `${base}?${pairs.join('&')}`;
  };
  const body = (): string | Buffer => {
    const json = JSON.stringify(chance(0.7) ? { content: value(), ...(value() as object | null) } : value());
    if (chance(0.7)) return json;
    if (chance(0.3)) return json.slice(0, upTo(json.length));
    const bytes = Buffer.from(json);
    for (let flips = upTo(4); flips >= 0 && bytes.length > 0; flips -= 1)
      bytes[upTo(bytes.length)] = upTo(256);
    return bytes;
  };
  return () => {
    const headers: Record<string, string> = {};
    if (chance(0.8)) headers['content-type'] = chance(0.7) ? 'application/json' : pick(TYPES);
    if (chance(0.25)) headers[pick(HEADERS)] = text().replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?') || '?';
    const key = chance(0.9) ? undefined : pick([null, 'wrong', `parley_${'z'.repeat(43)}`]);
    return {
      method: pick(METHODS),
      path: path(),
      headers,
      ...(key === undefined ? {} : { key }),
      ...(chance(0.7) ? { body: body() } : {}),
    };
  };
}

/** What is wrong with an answer, or null. */
function faultOf({ method, path }: TestRequest, { status, headers, text }: TestAnswer): string | null {
  if (status >= 500) return 'a 5xx';
  if (headers['x-request-id'] === undefined) return 'no request id';
  if (/\bat .+:\d+:\d+|node_modules|\.ts:\d|FST_ERR/.test(text)) return 'internals';
  const documented = method === 'OPTIONS' ? [204] : [200, 201];
  if (status < 400) return documented.includes(status) ? null : 'an undocumented status';
  if (method === 'HEAD' || headers['content-type']?.startsWith('text/plain')) return null;
  const { error } = JSON.parse(text) as {
    error: { code: (typeof API_ERROR_CODES)[number]; message: string };
  };
  // There, errors are told in OpenAI's format, with its codes.
  if (!path.startsWith('/v1') && !API_ERROR_CODES.includes(error.code)) return 'an unknown code';
  return /^["A-Z][^]*\.$/.test(error.message) ? null : 'no sentence';
}

describe(`${REQUESTS} random requests (seed ${SEED})`, () => {
  it('are all refused in words or answered as documented, and the service is as well as before', async () => {
    const chats = await Promise.all(Array.from({ length: 4 }, () => api.createChat()));
    const next = createRequests(createRandom(SEED), chats);
    const requests = Array.from({ length: REQUESTS }, next);
    const statuses = new Map<number, number>();
    const faults: unknown[] = [];
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
          const answer = await api.request(request);
          const fault = faultOf(request, answer);
          if (fault !== null) faults.push([fault, request, answer.status, answer.text.slice(0, 500)]);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
      }),
    );
    expect(faults).toEqual([]);
    expect(api.log).toEqual([]);
    // The generator reaches every kind of answer: it is not one refusal 4,000 times.
    for (const status of [200, 201, 400, 401, 404, 415, 421, 403])
      expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5);

    for (const { id } of chats) {
      const isDeleted = (await api.get(`/api/v1/chats/${id}`)).status === 404;
      if (isDeleted) expect((await api.post(`/api/v1/chats/${id}/restore`)).status).toBe(200);
      expect(['idle', 'stopped']).toContain((await api.settled(id)).status);
    }
    const chat = await api.createChat();
    await api.send(chat.id, 'hello');
    expect((await api.settled(chat.id)).status).toBe('idle');
    expect(await api.messages(chat.id)).toHaveLength(2);
  });
});
