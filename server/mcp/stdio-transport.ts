/**
 * A program that speaks MCP over its standard streams. The library starts it and reads it; ending it is done here, since a
 * service that stops has less time than the library takes, and since why it ended is worth telling.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { GRACE_MS } from './grace.ts';
import type { SecretValues } from './server-secrets.ts';

/** How a program ended: its exit code, or the signal that ended it; null: it hasn't. */
export type Ending = { code: number | null; signal: string | null } | null;

/** Longest message that is taken from a program, in bytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A program that is started by `start`, and no longer there when `end` has resolved. */
export class ProgramTransport extends StdioClientTransport {
  #child: ChildProcess | null = null;
  #hasSpoken = false;

  /** It gets `values` beside the few environment variables that all programs need, and none of this process's own. */
  constructor(command: string, args: string[], values: SecretValues) {
    super({
      command,
      args,
      env: { ...values },
      cwd: homedir(),
      stderr: 'pipe',
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
  }

  override async start(): Promise<void> {
    const starting = super.start();
    // The library keeps it to itself; the version of the library is pinned, and a test tells when this no longer holds.
    this.#child = (this['_process'] as ChildProcess | undefined) ?? null;
    this.#child?.stdout?.once('data', () => {
      this.#hasSpoken = true;
    });
    await starting;
  }

  /** Whether it has written anything to stdout. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** What it writes to stderr. */
  get errors(): Readable {
    return this.stderr as Readable;
  }

  /** How it ended. */
  get ending(): Ending {
    const child = this.#child;
    if (child === null || !hasEnded(child)) return null;
    return { code: child.exitCode, signal: child.signalCode };
  }

  /** Resolves when it has ended by itself, or after so many milliseconds. */
  async endsWithin(waitMs: number): Promise<boolean> {
    const child = this.#child;
    if (child === null || hasEnded(child)) return child !== null;
    await Promise.race([once(child, 'exit'), sleep(waitMs, undefined, { ref: false })]);
    return hasEnded(child);
  }

  /**
   * Ends it: its input ends; if it is still there after `graceMs` it is asked to end, and after as long again it is killed.
   * Resolves when it is gone.
   */
  async end(graceMs: number): Promise<void> {
    const child = this.#child;
    const closing = super.close();
    if (child?.pid === undefined || hasEnded(child)) {
      await closing;
      return;
    }
    closing.catch(() => undefined);
    if (!(await this.endsWithin(graceMs))) {
      child.kill('SIGTERM');
      if (!(await this.endsWithin(graceMs))) {
        child.kill('SIGKILL');
        await this.endsWithin(graceMs);
      }
    }
    // A program that it started may hold on to these.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }

  override async close(): Promise<void> {
    await this.end(GRACE_MS);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
