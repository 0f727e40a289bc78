import { beforeEach, expect, test, vi } from 'vitest';
import { ConnectionProblem, StrangerProblem } from '../../../renderer/api/problem.ts';
import { createServerProver, proveServer } from '../../../renderer/api/server-proof.ts';
import { serverProofText } from '../../../shared/proof.ts';
import { createTestKey } from '../../support/browser-client.ts';

const ORIGIN = 'http://127.0.0.1:4141';
const server = createTestKey();

beforeEach(() => {
  vi.stubGlobal('location', { origin: ORIGIN });
  return () => vi.unstubAllGlobals();
});

const fetchFrom = (service: typeof fetch): unknown => vi.stubGlobal('fetch', service);
const answering = (answer: (nonce: string) => unknown, status = 200): unknown =>
  fetchFrom((path) =>
    Promise.resolve(Response.json(answer((path as string).replace('/health?nonce=', '')), { status })),
  );
const signed = (text: string, who = server): object => ({ signature: who.sign(text), challenge: 'c' });

test('the service that has the key proves itself, and gives a challenge', async () => {
  const nonces = new Set<string>();
  answering((nonce) => {
    nonces.add(nonce);
    return signed(serverProofText(nonce, ORIGIN));
  });
  expect(await proveServer(server.publicKey)).toBe('c');
  expect(await proveServer(server.publicKey)).toBe('c');
  expect(nonces.size).toBe(2);
  for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{43}$/);
});

test.each([
  ['another key', (nonce: string) => signed(serverProofText(nonce, ORIGIN), createTestKey())],
  ['another nonce', () => signed(serverProofText('A'.repeat(43), ORIGIN))],
  ['another address', (nonce: string) => signed(serverProofText(nonce, 'http://127.0.0.1:4142'))],
  ['no signature', () => ({ status: 'ok' })],
  ['what is none', () => ({ signature: '%%%', challenge: 'c' })],
  ['no JSON object', () => null],
])('whoever answers with %s is a stranger', async (_name, answer) => {
  answering(answer);
  await expect(proveServer(server.publicKey)).rejects.toBeInstanceOf(StrangerProblem);
});

test('a service that stops, or isn’t there, is no stranger', async () => {
  for (const answer of [
    () => answering(() => ({}), 503),
    () => fetchFrom(() => Promise.reject(new TypeError('Nobody there.'))),
  ]) {
    answer();
    const problem: unknown = await proveServer(server.publicKey).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ConnectionProblem);
    expect(problem).not.toBeInstanceOf(StrangerProblem);
  }
});

test('those who ask at the same time share a proof, and the next one is another', async () => {
  let count = 0;
  let who = server;
  answering((nonce) => {
    count += 1;
    return signed(serverProofText(nonce, ORIGIN), who);
  });
  const prove = createServerProver(server.publicKey);
  await Promise.all([prove(), prove(), prove()]);
  expect(count).toBe(1);
  who = createTestKey();
  await expect(prove()).rejects.toBeInstanceOf(StrangerProblem);
  expect(count).toBe(2);
});
