import { expect, it } from 'vitest';
import type { ScheduleAnswer, ScheduleList } from '../../../shared/api/schedule.ts';
import { hostedParley, type Ended } from '../../support/parley.ts';
import { startTestService } from '../../support/service.ts';

it('parley schedule adds, lists, pauses, resumes, runs and deletes', async () => {
  const api = await startTestService();
  const run = (...args: string[]): Promise<Ended> =>
    hostedParley(['schedule', ...args, '--data-dir', api.service.dataDir]);
  const list = async (): Promise<ScheduleList['schedules']> =>
    (await api.get('/api/v1/schedules')).json<ScheduleList>().schedules;

  const added = await run(
    'add',
    'every weekday at 8',
    'What',
    'is',
    '6 * 7?',
    '--time-zone',
    'Europe/Berlin',
    '--json',
  );
  expect(added).toMatchObject({ code: 0, stderr: '' });
  const { schedule } = JSON.parse(added.stdout) as ScheduleAnswer;
  expect(schedule).toMatchObject({
    content: 'What is 6 * 7?',
    rule: '0 8 * * 1-5',
    timeZone: 'Europe/Berlin',
  });
  expect((await run()).stdout.split('\t')).toEqual([
    schedule.id,
    schedule.nextAt,
    'every weekday at 8',
    'new',
    'What is 6 * 7?\n',
  ]);

  const id = schedule.id.slice(0, 8);
  expect((await run('pause', id)).stderr).toBe('Paused: every weekday at 8.\n');
  expect(await list()).toMatchObject([{ paused: true }]);
  expect((await run('resume', id)).code).toBe(0);
  expect((await run('run', id)).code).toBe(0);
  expect(await list()).toMatchObject([{ paused: false, lastRun: { dueAt: null } }]);
  expect((await run('delete', id)).code).toBe(0);
  expect(await list()).toEqual([]);

  const unread = await run('add', 'some day', 'Hello');
  expect([unread.code, unread.stderr]).toEqual([1, expect.stringMatching(/can’t be read as a time/)]);
  const unknown = await run('run', 'nothing');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/no schedule "nothing"/)]);
});
