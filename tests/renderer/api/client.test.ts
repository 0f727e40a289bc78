import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createApiClient,
  type ApiClient,
  type ApiClientOptions,
  type RequestOutcome,
} from '../../../renderer/api/client.ts';
import { ApiProblem, ConnectionProblem, StrangerProblem } from '../../../renderer/api/problem.ts';
import { tokenIn } from '../../../renderer/api/session.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  vi.unstubAllGlobals();
});

async function clientOf(
  answer: RequestListener,
  options: Partial<ApiClientOptions> = {},
): Promise<{ api: ApiClient; outcomes: RequestOutcome[] }> {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  vi.stubGlobal('location', { origin });
  const outcomes: RequestOutcome[] = [];
  const api = createApiClient({
    apiKey: 'parley_key',
    ...options,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { api, outcomes };
}

test('a send carries the key and its idempotency key', async () => {
  const seen: unknown[] = [];
  const { api, outcomes } = await clientOf((request, response) => {
    seen.push(request.method, request.url, request.headers.authorization, request.headers['idempotency-key']);
    response.end('{"chat":{"id":"c"}}');
  });
  await expect(api.sendMessage('a/b', { content: 'x', mode: 'agent' }, 'once')).resolves.toEqual({ id: 'c' });
  expect(seen).toEqual(['POST', '/api/v1/chats/a%2Fb/messages', 'Bearer parley_key', 'once']);
  expect(outcomes).toEqual(['answered']);
});

test('an error of the service keeps its code; one of anybody else has none', async () => {
  const { api, outcomes } = await clientOf((request, response) => {
    const known = request.url === '/api/v1/chats/known';
    response.writeHead(known ? 404 : 502);
    response.end(known ? '{"error":{"code":"chat_not_found","message":"No."}}' : '<html>');
  });
  await expect(api.findChat('known')).rejects.toMatchObject({ status: 404, code: 'chat_not_found' });
  await expect(api.findChat('other')).rejects.toMatchObject({ status: 502, code: null });
  expect(outcomes).toEqual(['answered', 'answered']);
});

test('a key that is not accepted is told apart', async () => {
  const { api, outcomes } = await clientOf((_request, response) => response.writeHead(401).end('{}'));
  await expect(api.findChat('c')).rejects.toBeInstanceOf(ApiProblem);
  expect(outcomes).toEqual(['unauthorized']);
});

test('a key that is not known any more is renewed once for all, and each request is sent again', async () => {
  let renewals = 0;
  const renew = async (): Promise<string> => `parley_fresh${(renewals += 1)}`;
  const { api, outcomes } = await clientOf(
    (request, response) => {
      if (request.headers.authorization === 'Bearer parley_fresh1') response.end('{"chat":{"id":"c"}}');
      else response.writeHead(401).end('{}');
    },
    { renew },
  );
  await expect(Promise.all([api.findChat('c'), api.findChat('c')])).resolves.toEqual([
    { id: 'c' },
    { id: 'c' },
  ]);
  expect((await api.open('/api/v1/chats/c')).status).toBe(200);
  expect(renewals).toBe(1);
  expect(outcomes).toEqual(['answered', 'answered', 'answered']);
});

test('a key that can not be renewed ends the session, and a lost connection while renewing does not', async () => {
  const refuse: RequestListener = (_request, response) => response.writeHead(401).end('{}');
  const ended = await clientOf(refuse, { renew: () => Promise.resolve(null) });
  await expect(ended.api.findChat('c')).rejects.toMatchObject({ status: 401 });
  expect(ended.outcomes).toEqual(['unauthorized']);
  const lost = await clientOf(refuse, { renew: () => Promise.reject(new ConnectionProblem('No answer.')) });
  await expect(lost.api.findChat('c')).rejects.toBeInstanceOf(ConnectionProblem);
  expect(lost.outcomes).toEqual(['no_answer']);
});

test('each request waits until the service has proved itself, and is never sent where it has not', async () => {
  const seen: string[] = [];
  const steps: (() => Promise<void>)[] = [];
  const prove = (): Promise<void> => {
    seen.push('proof');
    return steps.shift()?.() ?? Promise.resolve();
  };
  const { api, outcomes } = await clientOf(
    (request, response) => {
      seen.push(request.url ?? '');
      response.end('{"chat":{"id":"c"}}');
    },
    { prove },
  );
  await api.findChat('c');
  steps.push(() => Promise.reject(new StrangerProblem()));
  await expect(api.findChat('c')).rejects.toBeInstanceOf(ConnectionProblem);
  await api.open('/api/v1/stream');
  expect(seen).toEqual(['proof', '/api/v1/chats/c', 'proof', 'proof', '/api/v1/stream']);
  expect(outcomes).toEqual(['answered', 'no_answer', 'answered']);
});

test('every request names the workspace that the window shows', async () => {
  const named: unknown[] = [];
  const { api } = await clientOf(
    (request, response) => {
      named.push(request.headers['x-workspace-id']);
      response.end('{"chat":{"id":"c"}}');
    },
    { workspaceId: 'w' },
  );
  await api.findChat('c');
  await api.open('/api/v1/chats/c/events', { headers: { 'Last-Event-ID': 'x' } });
  expect(named).toEqual(['w', 'w']);
});

test('no answer, half an answer and a service that is going away are lost connections', async () => {
  const { api, outcomes } = await clientOf((request, response) => {
    if (request.url?.endsWith('none')) request.socket.destroy();
    else if (request.url?.endsWith('half')) {
      response.writeHead(200, { 'content-length': '100' }).write('{"chat":');
      setTimeout(() => request.socket.destroy(), 20);
    } else response.writeHead(503).end('{"error":{"code":"shutting_down","message":"Bye."}}');
  });
  for (const id of ['none', 'half', 'leaving']) {
    await expect(api.findChat(id)).rejects.toBeInstanceOf(ConnectionProblem);
  }
  expect(outcomes).toEqual(['no_answer', 'no_answer', 'no_answer']);
});

test('the one-time token is read from the fragment only', () => {
  expect(tokenIn('#token=page_abc')).toBe('page_abc');
  expect(tokenIn('#/chats/1')).toBeNull();
  expect(tokenIn('#token=')).toBeNull();
  expect(tokenIn('')).toBeNull();
});
