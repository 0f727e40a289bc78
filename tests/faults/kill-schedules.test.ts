import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ScheduleList } from '../../shared/api/schedule.ts';
import type { ChatList } from '../../shared/api/chat.ts';
import { rounds } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { mortalService } from '../support/mortal-service.ts';

const SCHEDULES = 100;
const KILLS = rounds(2);
const STOPPED_THREE_TIMES = 'Parley stopped three times while making this reply.';

const mortal = mortalService();

it('kill -9 while many are due: each makes exactly one message', async () => {
  let service = await mortal.start();
  const when = new Date(Date.now() + 6_000).toISOString();
  for (let index = 0; index < SCHEDULES; index += 1) {
    const answer = await service.api.post('/api/v1/schedules', { content: `What is ${index} + 1?`, when });
    expect(answer.status, answer.text).toBe(201);
  }
  await sleep(Math.max(0, Date.parse(when) - Date.now()) + 5);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(kill * 15);
    await service.end('SIGKILL');
    service = await mortal.start();
  }
  const { api } = service;
  await eventually(async () => {
    const { schedules } = (await api.get('/api/v1/schedules')).json<ScheduleList>();
    // More kills than two may hit the same reply three times: then it fails, and says so.
    const unsettled = schedules.filter(
      ({ lastRun, nextAt }) =>
        nextAt !== null || (lastRun?.status !== 'replied' && lastRun?.error !== STOPPED_THREE_TIMES),
    );
    expect(unsettled).toEqual([]);
  });
  const titles: string[] = [];
  for (let page = 1; page <= 3; page += 1) {
    const { data } = (await api.get(`/api/v1/chats?pageSize=100&page=${page}`)).json<ChatList>();
    for (const { id } of data) {
      const messages = await api.messages(id);
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
      titles.push(messages[0]?.content ?? '');
    }
  }
  expect(titles.toSorted()).toEqual(
    Array.from({ length: SCHEDULES }, (_, index) => `What is ${index} + 1?`).toSorted(),
  );
}, 120_000);
