/** Services that tests kill: each test of a file gets its own folder, and anything still running at the end is killed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';

/** The service of a test. */
export interface MortalService {
  /** A folder of the test's own; the service's data folder is in it. */
  readonly folder: string;
  readonly dataDir: string;
  /** Starts the service on the data folder; one that runs has to have ended. */
  start(): Promise<ServiceProcess>;
}

/** Call it at the top of a file, or of a `describe`. `args` gives further arguments for the program at `entry`. */
export function mortalService(entry?: string, args: (folder: string) => string[] = () => []): MortalService {
  let folder = '';
  let running: ServiceProcess | null = null;
  const dataDirOf = (): string => join(folder, 'data');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
    running = null;
  });
  afterEach(async () => {
    await running?.end('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    get folder() {
      return folder;
    },
    get dataDir() {
      return dataDirOf();
    },
    async start() {
      running = await startServiceProcess(dataDirOf(), args(folder), entry);
      return running;
    },
  };
}
