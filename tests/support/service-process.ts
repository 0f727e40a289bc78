/** The service as a separate process, as `npm run serve -- --json` starts it, for tests that kill it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundled } from './bundled.ts';
import { createTestClient, type TestClient } from './service.ts';

/** The service's output when it is ready. */
export interface ReadyLine {
  baseUrl: string;
  apiKey: string;
  pageUrl: string;
  dataDir: string;
  pid: number;
}

export interface ServiceProcess extends ReadyLine {
  child: ChildProcess;
  /** With the local key. */
  api: TestClient;
  /** All that was written to stderr so far. */
  stderr(): string;
  /** Sends the signal and waits for the end; returns the exit code, null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** The service's program. */
export const CLI = fileURLToPath(bundled('cli'));
/** The entry of the service with directed replies; see directed-runtime.ts. */
export const DIRECTED_ENTRY = fileURLToPath(bundled('scripted-service'));

/**
 * Starts the service on a data folder and waits for its ready line; rejects with its stderr when it ends before. `limit`:
 * arguments for the shell's `ulimit`, run before it.
 */
export async function startServiceProcess(
  dataDir: string,
  args: string[] = [],
  entry = CLI,
  limit: string | null = null,
): Promise<ServiceProcess> {
  const command = [process.execPath, entry, '--port', '0', '--json', '--data-dir', dataDir, ...args];
  if (limit !== null) command.unshift('sh', '-c', `ulimit ${limit} && exec "$@"`, 'sh');
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    exited.then(([code]) => Promise.reject(new Error(`The service ended with ${String(code)}:\n${stderr}`))),
  ]);
  const ready = JSON.parse(line) as ReadyLine;
  return {
    ...ready,
    child,
    api: clientOf(ready),
    stderr: () => stderr,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** A client with the key of a service that runs there. */
export const clientOf = ({ baseUrl, apiKey }: Pick<ReadyLine, 'baseUrl' | 'apiKey'>): TestClient =>
  createTestClient(Number(new URL(baseUrl).port), apiKey);

/** Like {@link startServiceProcess}; killed after the test, unless it has ended. */
export async function runService(dataDir: string, limit: string | null = null): Promise<ServiceProcess> {
  const service = await startServiceProcess(dataDir, [], undefined, limit);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  return service;
}
