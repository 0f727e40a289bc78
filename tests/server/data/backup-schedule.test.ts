import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Backup } from '../../../shared/api/data.ts';
import type { Settings } from '../../../shared/api/settings.ts';
import { createBackupSchedule } from '../../../server/data/backup-schedule.ts';
import { createDataService, type DataService } from '../../../server/data/data-service.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { createTempDir } from '../../support/service.ts';
import { filesOf, openTempStore } from '../../support/store.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let now: number;
let log: string[];
let data: DataService;
let disk: ReturnType<typeof faultyDisk>;
let settings: Pick<Settings, 'backupSchedule' | 'backupsToKeep'>;
let run: () => Promise<void>;

beforeEach(async () => {
  now = Date.parse('2026-11-20T09:30:00.000Z');
  log = [];
  disk = faultyDisk();
  settings = { backupSchedule: 'daily', backupsToKeep: 3 };
  const dataDir = await createTempDir();
  await mkdir(join(dataDir, 'store'));
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  data = createDataService({
    store: temp.store,
    files: filesOf(temp),
    dataDir,
    clock: () => new Date(now),
    disk,
  });
  const schedule = createBackupSchedule({
    data,
    settings: { current: () => settings },
    log: (line) => log.push(line),
  });
  onTestFinished(() => schedule.close());
  run = schedule.run;
});

const days = async (): Promise<string[]> =>
  (await data.listBackups()).map(({ createdAt }) => createdAt.slice(0, 13));
const scheduled = async (): Promise<Backup[]> => (await data.listBackups()).filter((one) => one.scheduled);

it('makes the first one at once, and the next when its time has come', async () => {
  await run();
  await run();
  expect(await days()).toEqual(['2026-11-20T09']);
  now += DAY_MS - HOUR_MS;
  await run();
  expect(await days()).toHaveLength(1);
  now += HOUR_MS;
  await run();
  expect(await days()).toEqual(['2026-11-21T09', '2026-11-20T09']);
  expect(await scheduled()).toHaveLength(2);
});

it('goes by the settings as they are at the time', async () => {
  settings.backupSchedule = 'never';
  await run();
  expect(await days()).toEqual([]);
  settings.backupSchedule = 'weekly';
  await run();
  now += 6 * DAY_MS;
  await run();
  expect(await days()).toHaveLength(1);
  settings.backupSchedule = 'daily';
  await run();
  expect(await days()).toHaveLength(2);
});

it('keeps as many as are wanted, and leaves those alone that a person made', async () => {
  const { backup: own } = await data.createBackup();
  for (let day = 0; day < 5; day += 1) {
    await run();
    now += DAY_MS;
  }
  expect(await days()).toEqual(['2026-11-24T09', '2026-11-23T09', '2026-11-22T09', '2026-11-20T09']);
  expect((await data.listBackups()).at(-1)).toEqual(own);
  expect(own.scheduled).toBeUndefined();
  settings.backupsToKeep = 1;
  await run();
  expect((await scheduled()).map(({ createdAt }) => createdAt.slice(0, 10))).toEqual(['2026-11-25']);
});

it('can be restored as any other', async () => {
  await run();
  const [backup] = await data.listBackups();
  expect(backup?.name).toMatch(/-scheduled\.json\.gz$/);
  expect(await data.restoreBackup(backup?.name ?? '')).toMatchObject({ problems: [] });
});

it('makes one although the clock was far ahead for a while', async () => {
  now += 400 * DAY_MS;
  await run();
  now -= 400 * DAY_MS;
  await run();
  await run();
  expect(await days()).toEqual(['2027-12-25T09', '2026-11-20T09']);
});

it('removes none when the next one can not be made, says why, and tries again', async () => {
  settings.backupsToKeep = 1;
  await run();
  now += DAY_MS;
  disk.fail({ calls: ['write'], code: 'ENOSPC', path: /backups/ });
  await run();
  expect(await days()).toEqual(['2026-11-20T09']);
  const { backupProblem } = await data.info();
  expect(backupProblem).toMatch(/disk|space/);
  expect(log).toEqual([`A scheduled backup failed: ${backupProblem ?? ''}`]);
  disk.heal();
  await run();
  expect(await days()).toEqual(['2026-11-21T09']);
  expect((await data.info()).backupProblem).toBeUndefined();
});
