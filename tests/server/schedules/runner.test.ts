import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScheduleRunner } from '../../../server/schedules/runner.ts';
import { createScheduleService } from '../../../server/schedules/schedule-service.ts';
import type { Schedule, ScheduleRun } from '../../../shared/api/schedule.ts';
import { longestBlockMs } from '../../support/longest-block.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';

const OWNER = { reach: true, approve: true };
const DAY = 24 * 60 * 60_000;

let processing: Processing;
let now: Date;
let errors: unknown[];

beforeEach(async () => {
  now = new Date('2027-03-03T11:00:00Z');
  errors = [];
  processing = await startProcessing({ clock: () => now });
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await processing.remove();
});

/** The schedules of the life that runs now; they only send when the runner checks. */
function schedules() {
  const { store, chats } = processing.life;
  const basics = { store, chats, clock: () => now, newId: randomUUID };
  const runner = createScheduleRunner({ ...basics, onError: (error) => errors.push(error) });
  const service = createScheduleService({
    ...basics,
    clock: runner.clock,
    runner: { check: async () => undefined },
    toolSources: [],
    timeZone: () => 'Europe/Berlin',
  });
  const check = async (): Promise<void> => {
    await runner.check();
    runner.close();
  };
  return { service, runner, check };
}

const create = (when: string, more: object = {}): Promise<Schedule> =>
  schedules().service.create(WORKSPACE, { content: 'Hello', when, ...more }, OWNER);
/** Moves the clock there, and does what is due, as a runner of a new process. */
async function at(time: string): Promise<void> {
  now = new Date(time);
  await schedules().check();
}
const runsOf = async ({ id }: Schedule): Promise<ScheduleRun[]> =>
  (await schedules().service.find(WORKSPACE, id)).runs;
const nextAt = async ({ id }: Schedule): Promise<string | null> =>
  (await schedules().service.find(WORKSPACE, id)).schedule.nextAt;
const sentCount = (): number =>
  processing.life.store.read(
    (reader) =>
      reader.get<{ total: number }>(`SELECT count(*) AS total FROM messages WHERE role = 'user'`)?.total ??
      -1,
  );
/** When its runs were due, newest first, with what came of them. */
const due = async (schedule: Schedule): Promise<string[]> =>
  (await runsOf(schedule)).map(
    ({ dueAt, status }) => `${String(dueAt)} ${status === 'missed' ? status : 'sent'}`,
  );

test('sends at its time, once, and moves on to the next', async () => {
  const schedule = await create('every day at 8');
  expect(schedule.nextAt).toBe('2027-03-04T07:00:00.000Z');
  await at('2027-03-04T06:59:59Z');
  expect(sentCount()).toBe(0);
  await at('2027-03-04T07:00:00Z');
  await at('2027-03-04T07:00:30Z');
  expect(sentCount()).toBe(1);
  expect(await nextAt(schedule)).toBe('2027-03-05T07:00:00.000Z');
});

test('sends a message of one time once, and is over then', async () => {
  const schedule = await create('tomorrow at 8:30');
  await at('2027-03-04T07:30:00Z');
  await at('2027-03-05T07:30:00Z');
  expect(await due(schedule)).toEqual(['2027-03-04T07:30:00.000Z sent']);
  expect(await nextAt(schedule)).toBe(null);
});

test('sends what it missed for some hours once, however many times those were', async () => {
  const schedule = await create('every hour');
  await at('2027-03-03T20:10:00Z');
  expect(await due(schedule)).toEqual(['2027-03-03T12:00:00.000Z sent']);
  expect((await runsOf(schedule))[0]?.ranAt).toBe('2027-03-03T20:10:00.000Z');
  expect(await nextAt(schedule)).toBe('2027-03-03T21:00:00.000Z');
});

test('after days sends the last missed one alone, and says that it missed others', async () => {
  const [daily, once] = [await create('every day at 8'), await create('tomorrow at 8')];
  await at('2027-03-08T10:00:00Z');
  expect(await due(daily)).toEqual(['2027-03-08T07:00:00.000Z sent', '2027-03-04T07:00:00.000Z missed']);
  expect(await due(once)).toEqual(['2027-03-04T07:00:00.000Z missed']);
  expect(sentCount()).toBe(1);
  expect(await nextAt(daily)).toBe('2027-03-09T07:00:00.000Z');
});

test('a clock that is set back repeats nothing', async () => {
  const schedule = await create('every hour');
  await at('2027-03-03T12:00:00Z');
  await at('2027-03-03T13:00:00Z');
  for (const time of ['11:30', '12:00', '12:30', '13:00']) await at(`2027-03-03T${time}:00Z`);
  expect(sentCount()).toBe(2);
  await at('2027-03-03T14:00:00Z');
  expect(await due(schedule)).toEqual(['14', '13', '12'].map((hour) => `2027-03-03T${hour}:00:00.000Z sent`));
});

test('a clock that was wrong for a year costs no time after it is right again', async () => {
  const [daily, once] = [await create('every day at 8'), await create('5 March at 8')];
  await at('2028-06-01T12:00:00Z');
  expect(await due(once)).toEqual(['2027-03-05T07:00:00.000Z missed']);
  await at('2027-03-03T12:00:00Z');
  expect(await nextAt(daily)).toBe('2027-03-04T07:00:00.000Z');
  await at('2027-03-04T07:00:00Z');
  await at('2027-03-05T07:00:00Z');
  expect(await due(once)).toEqual(['2027-03-05T07:00:00.000Z sent']);
  expect((await due(daily)).slice(0, 2)).toEqual([
    '2027-03-05T07:00:00.000Z sent',
    '2027-03-04T07:00:00.000Z sent',
  ]);
});

test('a clock that was wrong between two checks costs no time, either', async () => {
  const { service, runner } = schedules();
  await runner.check();
  now = new Date('2028-06-01T12:00:00Z');
  const daily = await service.create(WORKSPACE, { content: 'Hello', when: 'every day at 8' }, OWNER);
  expect(daily.nextAt).toBe('2028-06-02T06:00:00.000Z');
  now = new Date('2027-03-03T12:00:00Z');
  await runner.check();
  runner.close();
  expect(await nextAt(daily)).toBe('2027-03-04T07:00:00.000Z');
});

test('a clock that was in 1970 sends nothing from before the schedule was made', async () => {
  const schedule = await create('every day at 8');
  await at('1970-01-01T00:00:10Z');
  await at('2027-03-03T12:00:00Z');
  expect(sentCount()).toBe(0);
  expect(await nextAt(schedule)).toBe('2027-03-04T07:00:00.000Z');
});

test('what was due while it was paused is not sent', async () => {
  const { id } = await create('every day at 8');
  const { service } = schedules();
  await service.update(WORKSPACE, id, { paused: true }, OWNER);
  await at('2027-03-04T10:00:00Z');
  const resumed = await service.update(WORKSPACE, id, { paused: false }, OWNER);
  expect(resumed.nextAt).toBe('2027-03-05T07:00:00.000Z');
  await at('2027-03-04T11:00:00Z');
  expect(sentCount()).toBe(0);
});

test('a message that was sent is there after a crash, and is not sent again', async () => {
  await create('every day at 8');
  now = new Date('2027-03-04T07:00:00Z');
  await schedules().check();
  await processing.crash();
  await schedules().check();
  expect(sentCount()).toBe(1);
});

test('a thousand that are due in one minute make a thousand messages, and hold nobody up', async () => {
  const { service, check } = schedules();
  const body = { content: 'Hello', when: 'tomorrow at 8' };
  await Promise.all(Array.from({ length: 1_000 }, () => service.create(WORKSPACE, body, OWNER)));
  now = new Date('2027-03-04T07:00:00Z');
  expect(await longestBlockMs(check)).toBeLessThan(500);
  await at('2027-03-04T07:00:30Z');
  expect(sentCount()).toBe(1_000);
  now = new Date(now.getTime() + DAY);
  await schedules().check();
  expect(sentCount()).toBe(1_000);
});

test('when the queue is full, the rest waits and is sent later', async () => {
  const { service } = schedules();
  const body = { content: 'Hello', when: 'tomorrow at 8' };
  // The agents are busy: nothing is answered.
  const chatId = await processing.createChat();
  await Promise.all(
    Array.from({ length: 1_010 }, () => service.create(WORKSPACE, { ...body, chatId }, OWNER)),
  );
  const { store } = processing.life;
  now = new Date('2027-03-04T07:00:00Z');
  await schedules().check();
  await processing.until(() => sentCount() >= 1_000);
  await store.write((writer) => writer.run(`UPDATE messages SET status = 'complete' WHERE role = 'user'`));
  await at('2027-03-04T07:01:00Z');
  expect(sentCount()).toBe(1_010);
});

test('after the store could not be read, the next check sends what is due', async () => {
  await create('tomorrow at 8');
  now = new Date('2027-03-04T07:00:00Z');
  const { store, chats } = processing.life;
  let isReadable = false;
  const read: typeof store.read = (work) => {
    if (isReadable) return store.read(work);
    throw new Error('unreadable');
  };
  const runner = createScheduleRunner({
    store: { ...store, read },
    chats,
    clock: () => now,
    newId: randomUUID,
    onError: (error) => errors.push(error),
  });
  await runner.check();
  expect(errors.splice(0)).toEqual([new Error('unreadable')]);
  isReadable = true;
  await runner.check();
  runner.close();
  expect(sentCount()).toBe(1);
});
