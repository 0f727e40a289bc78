/** Services that share a process: starting one takes a tenth of the time of a separate process. */
import { fork, type ChildProcess } from 'node:child_process';
import { bundled, COMPILE_CACHE } from '../../support/bundled.ts';
import type { FromHost, StartedService, ToHost, WantedService } from '../../support/many-services.ts';
import { MANY_STORES } from '../../support/many-stores.ts';
import { NODE } from '../../support/platform.ts';

export interface HostedService extends StartedService {
  /** Stops it and removes its data, without waiting. */
  stop: () => void;
}

/** Started with the first service of this worker, and again with the next one if it has ended. */
let host: ChildProcess | null = null;
let lastId = 0;

/** Starts a service in this worker's shared process. */
export function hostService(wanted: WantedService): Promise<HostedService> {
  const child = (host ??= startHost());
  lastId += 1;
  const id = lastId;
  const tell = (message: ToHost): void => {
    if (child.connected) child.send(message);
  };
  return new Promise((resolve, reject) => {
    const settle = (message: FromHost): void => {
      if (message.id !== id) return;
      child.off('message', settle);
      child.off('exit', fail);
      if ('error' in message) reject(new Error(message.error));
      else resolve({ ...message.service, stop: () => tell({ id, type: 'stop' }) });
    };
    const fail = (): void => reject(new Error('The process of the services has ended.'));
    child.on('message', settle);
    child.once('exit', fail);
    tell({ id, type: 'start', wanted });
  });
}

function startHost(): ChildProcess {
  const child = fork(bundled('many-services'), {
    execPath: NODE,
    execArgv: [...process.execArgv, ...MANY_STORES],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', () => {
    if (host === child) host = null;
  });
  // A worker ends even though it still runs.
  child.unref();
  child.channel?.unref();
  return child;
}
