import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

const KILLS = 8;
const CLIENTS = 6;
const CHATS = 5;
const SETTLED = ['idle', 'failed', 'stopped'];

/** A question no other send asks, and the figure its reply must hold. */
const question = (number: number) => ({ content: `What is ${number} * 1009?`, figure: number * 1009 });
/** A number as the assistant may write it: with or without separators. */
const digits = (text: string): string => text.replaceAll(/(?<=\d)[,.\u202f\u00a0 ](?=\d{3})/g, '');

let dataDir: string;
let running: ServiceProcess | null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-kill-'));
  running = null;
});

afterEach(async () => {
  await running?.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

async function call<T>(service: ServiceProcess, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

describe('kill -9 under load, again and again, on one data directory', () => {
  it('keeps every acknowledged send once, answers each exactly once and leaves no chat stuck', async () => {
    running = await startServiceProcess(dataDir);
    const chatIds: string[] = [];
    for (let index = 0; index < CHATS; index += 1) {
      chatIds.push((await call<Chat>(running, 'POST', '/api/v1/chats')).id);
    }
    const acknowledged = new Map<string, string>();
    const attempted = new Set<string>();
    let next = 1;

    for (let kill = 0; kill < KILLS; kill += 1) {
      const service: ServiceProcess = running ?? (await startServiceProcess(dataDir));
      running = service;
      const load = { isOn: true };
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        while (load.isOn) {
          const { content } = question(next);
          next += 1;
          attempted.add(content);
          const chatId = chatIds[(client + next) % CHATS] ?? '';
          try {
            await call(service, 'POST', `/api/v1/chats/${chatId}/messages`, { content });
            acknowledged.set(content, chatId);
          } catch (error) {
            // A full queue is an honest refusal; anything else must be the kill.
            if (String(error).includes('queue_full')) await sleep(20);
            else await sleep(5);
          }
        }
      });
      await sleep(150 + ((kill * 97) % 400));
      const ended = service.end('SIGKILL');
      load.isOn = false;
      await Promise.all([ended, ...clients]);
      running = null;
    }

    running = await startServiceProcess(dataDir);
    expect(acknowledged.size).toBeGreaterThan(KILLS * CLIENTS);
    const seen = new Map<string, string>();
    for (const chatId of chatIds) {
      await settled(running, chatId);
      const { messages } = await call<{ messages: Message[] }>(
        running,
        'GET',
        `/api/v1/chats/${chatId}/messages`,
      );
      for (const message of messages.filter(({ role }) => role === 'user')) {
        expect(seen.has(message.content), `twice: ${message.content}`).toBe(false);
        expect(attempted).toContain(message.content);
        seen.set(message.content, chatId);
      }
      expectOneReplyEach(messages);
    }
    for (const [content, chatId] of acknowledged) expect(seen.get(content), content).toBe(chatId);
  }, 240_000);
});

async function settled(service: ServiceProcess, chatId: string): Promise<void> {
  for (;;) {
    const { chat } = await call<{ chat: Chat }>(service, 'GET', `/api/v1/chats/${chatId}`);
    if (SETTLED.includes(chat.status)) return;
    await sleep(20);
  }
}

/** Replies come in the order of the questions, one each, and hold the figure asked for unless they failed in words. */
function expectOneReplyEach(messages: Message[]): void {
  const questions = messages.filter(({ role }) => role === 'user');
  const replies = messages.filter(({ role }) => role === 'assistant');
  expect(replies).toHaveLength(questions.length);
  for (const [index, reply] of replies.entries()) {
    const asked = questions[index]?.content ?? '';
    if (reply.status === 'error') {
      expect(reply.error?.code).toBe('interrupted');
      continue;
    }
    expect(reply.status).toBe('complete');
    const number = Number(/\d+/.exec(asked)?.[0]);
    expect(digits(reply.content), asked).toContain(String(number * 1009));
  }
}
