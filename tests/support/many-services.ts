/**
 * Services with a data folder and a port each, in one process that loads the program once; e2e/support/hosted-service.ts
 * starts and controls it. It stops its services, and ends, when the process that started it is gone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartOptions } from '../../server/service.ts';
import { startService } from '../../server/start.ts';
import type { WebOptions } from '../../server/tools/web/fetch-guarded.ts';
import { createDirectedRuntime } from './directed-runtime.ts';
import { createRecordingSource } from './recording-source.ts';
import { createSharedAgents } from './shared-agents.ts';

/** Which service is wanted. */
export interface WantedService {
  /** With replies that the messages direct; see directed-runtime.ts. */
  directed: boolean;
  /** With tools that ask first (recording-source.ts), and that long to answer; null: the default. */
  asking: { approvalMs: number | null } | null;
}

export type ToHost = { id: number } & ({ type: 'start'; wanted: WantedService } | { type: 'stop' });

export interface StartedService {
  baseUrl: string;
  apiKey: string;
  pageUrl: string;
  dataDir: string;
}

export type FromHost = { id: number } & ({ service: StartedService } | { error: string });

const agents = createSharedAgents((line) => void process.stderr.write(`${line}\n`));
const running = new Map<number, () => Promise<void>>();
/** Those of services that have stopped, or are about to: a page finds what it loaded from the one before in its caches. */
const freePorts: Promise<number>[] = [];

/** Every name resolves to this computer. */
const web: WebOptions = {
  resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  isAllowed: (address) => address === '127.0.0.1',
};

function optionsOf({ directed, asking }: WantedService): Partial<StartOptions> {
  const runtime = directed ? createDirectedRuntime() : agents.runtime;
  if (asking === null) return { runtime, hostTools: { web } };
  const { approvalMs } = asking;
  return {
    runtime,
    hostTools: { web, sources: [createRecordingSource()], ...(approvalMs !== null && { approvalMs }) },
  };
}

async function start(id: number, wanted: WantedService): Promise<StartedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  if (!wanted.directed) agents.warm();
  const port = await (freePorts.shift() ?? 0);
  const service = await startService({
    ...optionsOf(wanted),
    dataDir,
    port,
    pageDir: fileURLToPath(new URL('../renderer', import.meta.url)),
  });
  running.set(id, async () => {
    running.delete(id);
    const closed = service.close();
    freePorts.push(closed.then(() => service.port));
    await closed;
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return { baseUrl: service.url, apiKey: service.apiKey, pageUrl: service.createPageUrl(), dataDir };
}

const answer = (message: FromHost): void => void process.send?.(message);

process.on('message', (message: ToHost) => {
  const { id } = message;
  if (message.type === 'stop') void running.get(id)?.();
  else
    start(id, message.wanted).then(
      (service) => answer({ id, service }),
      (error: unknown) => answer({ id, error: String(error) }),
    );
});
process.once('disconnect', () => {
  void Promise.allSettled([...running.values()].map((stop) => stop())).then(() => process.exit());
});
