/** Makes automatic backups, as the settings say. */
import type { Settings } from '../../shared/api/settings.ts';
import type { DataService } from './data-service.ts';
import { messageOf } from '../lib/message-of.ts';

/** The wait after the start, when other work is more urgent. */
const FIRST_AFTER_MS = 60_000;
const CHECK_EVERY_MS = 5 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
const EVERY_MS = { daily: DAY_MS, weekly: 7 * DAY_MS };

/** Makes backups when they are due by the settings, until it is closed. */
export function createBackupSchedule({
  data,
  settings,
  log,
}: {
  data: Pick<DataService, 'backUpWhenDue'>;
  settings: { current: () => Pick<Settings, 'backupSchedule' | 'backupsToKeep'> };
  log: (line: string) => void;
}) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const hasClosed = (): boolean => isClosed;

  function plan(afterMs: number): void {
    if (isClosed) return;
    timer = setTimeout(() => void run().then(() => plan(CHECK_EVERY_MS)), afterMs).unref();
  }

  /** Makes a backup now if one is due. Never rejects: errors are logged, except those of a stop, and shown by `GET /api/v1/data`. */
  async function run(): Promise<void> {
    const { backupSchedule, backupsToKeep } = settings.current();
    if (hasClosed() || backupSchedule === 'never') return;
    try {
      await data.backUpWhenDue(EVERY_MS[backupSchedule], backupsToKeep);
    } catch (error) {
      if (!hasClosed()) log(`A scheduled backup failed: ${messageOf(error)}`);
    }
  }

  plan(FIRST_AFTER_MS);
  return {
    run,
    /** Begins no more. One under way ends with the store, and leaves nothing that counts as a backup. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
