import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../shared/api/message.ts';
import { rounds } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { mortalService } from '../support/mortal-service.ts';

const KILLS = rounds(3);
const CLIENTS = 6;
const CHATS = 5;

/** A question no other send asks, and the figure its reply must hold. */
const question = (number: number) => ({ content: `What is ${number} * 1009?`, figure: number * 1009 });
/** A number as the assistant may write it: with or without separators. */
const digits = (text: string): string => text.replaceAll(/(?<=\d)[,.\u202f\u00a0 ](?=\d{3})/g, '');

const mortal = mortalService();

describe('kill -9 under load, again and again, on one data directory', () => {
  it('keeps every acknowledged send once, answers each exactly once and leaves no chat stuck', async () => {
    let service = await mortal.start();
    const chatIds: string[] = [];
    for (let index = 0; index < CHATS; index += 1) chatIds.push((await service.api.createChat()).id);
    const acknowledged = new Map<string, string>();
    const attempted = new Set<string>();
    let next = 1;

    for (let kill = 0; kill < KILLS; kill += 1) {
      if (kill > 0) service = await mortal.start();
      const { api } = service;
      const load = { isOn: true };
      const clients = Array.from({ length: CLIENTS }, async (_, client) => {
        while (load.isOn) {
          const { content } = question(next);
          next += 1;
          attempted.add(content);
          const chatId = chatIds[(client + next) % CHATS] ?? '';
          try {
            await api.send(chatId, content);
            acknowledged.set(content, chatId);
          } catch (error) {
            // A full queue is an honest refusal; anything else must be the kill.
            if (String(error).includes('queue_full')) await sleep(20);
            else await sleep(5);
          }
        }
      });
      await eventually(() => expect(acknowledged.size).toBeGreaterThan((kill + 1) * CLIENTS));
      await sleep((kill * 97) % 400);
      const ended = service.end('SIGKILL');
      load.isOn = false;
      await Promise.all([ended, ...clients]);
    }

    const { api } = await mortal.start();
    const seen = new Map<string, string>();
    for (const chatId of chatIds) {
      await api.settled(chatId);
      const messages = await api.messages(chatId);
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
