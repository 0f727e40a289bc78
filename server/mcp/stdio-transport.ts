/**
 * A program that speaks MCP over its standard streams. It is started and ended here rather than by the library: the library
 * ends the program alone and not what that has started, takes longer than a service has that stops, and doesn't tell why a
 * program ended, which is worth knowing.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { PassThrough } from 'node:stream';
import {
  deserializeMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import spawn from 'cross-spawn';
import { Answers, ASKS_TOO_MUCH, Listing, LISTS_TOO_MUCH } from './bounds.ts';
import { endGroup, endsWithin, groupEndsWithin, HAS_GROUPS, hasEnded } from './program-group.ts';
import { LineBuffer } from './line-buffer.ts';
import type { SecretValues } from '../secrets/mask.ts';
import { GRACE_MS } from './connection.ts';

/** How a program ended: its exit code, or the signal that ended it; null: it hasn't. */
export type Ending = { code: number | null; signal: string | null } | null;

/** Longest message that is taken from a program, in bytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** What is said of a program that sends a longer one. */
const SENDS_TOO_MUCH =
  'The tool server answered with more than the 16 MB that can be read, so it was let go.';

/** Most answers to what the program asks that it may leave unread. */
const MAX_ANSWERS = 1_000;
/** How long after its end a program's last output is waited for. */
const LAST_WORDS_MS = 500;

/** A program that is started by `start`, and no longer there when `end` has resolved, nor is what it has started. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** What it writes to stderr. The library knows by the name that this is a program. */
  readonly stderr = new PassThrough();
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #values: SecretValues;
  readonly #received = new LineBuffer(MAX_MESSAGE_BYTES);
  readonly #listing = new Listing();
  readonly #answers = new Answers(MAX_ANSWERS);
  #child: ChildProcessWithoutNullStreams | null = null;
  #hasSpoken = false;
  #isClosed = false;
  #isGone = false;
  #refusal: string | null = null;

  /** It gets `values` beside the few environment variables that all programs need, and none of this process's own. */
  constructor(command: string, args: readonly string[], values: SecretValues) {
    this.#command = command;
    this.#args = args;
    this.#values = values;
  }

  async start(): Promise<void> {
    const child = spawn(this.#command, this.#args, {
      env: { ...getDefaultEnvironment(), ...this.#values },
      cwd: homedir(),
      windowsHide: true,
      detached: HAS_GROUPS,
    });
    this.#child = child;
    child.on('error', (error) => this.onerror?.(error));
    child.on('close', () => this.#tellClosed());
    // It may live on without it, and then says nothing any more.
    child.stdout.on('end', () => this.#tellClosed());
    for (const stream of [child.stdin, child.stdout]) stream.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr.pipe(this.stderr);
    // A program that it has started may hold on to its streams, which then don't end with it.
    child.on('exit', () => setTimeout(() => letGo(child), LAST_WORDS_MS).unref());
    await once(child, 'spawn');
  }

  #take(chunk: Buffer): void {
    this.#hasSpoken = true;
    if (!this.#listing.takes(chunk.length)) {
      this.#letGo(LISTS_TOO_MUCH);
      return;
    }
    const lines = this.#received.take(chunk);
    if (lines === null) {
      this.#letGo(SENDS_TOO_MUCH);
      return;
    }
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    if (this.#isClosed) return;
    try {
      const message = deserializeMessage(line);
      if (!('method' in message)) this.#listing.ended(message.id);
      this.onmessage?.(message);
    } catch (error) {
      // What isn't even JSON was meant for people.
      if (!(error instanceof SyntaxError)) this.onerror?.(error as Error);
    }
  }

  /** Resolves when it is written, or can't be any more: that the program has ended is told by `onclose`. */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null || this.#isClosed) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    this.#listing.sent(message);
    const write = (): Promise<void> =>
      new Promise((resolve) => {
        child.stdin.write(serializeMessage(message), () => resolve());
      });
    if (!(await this.#answers.send(message, write))) this.#letGo(ASKS_TOO_MUCH);
  }

  #letGo(why: string): void {
    if (this.#refusal !== null) return;
    this.#refusal = why;
    this.#tellClosed();
    // It gets no more of our time: nobody reads it from here on.
    this.#child?.stdout.destroy();
    void this.close();
  }

  #tellClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  /** Why it was let go of, in words; null: it was not, or not by us. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** Its process id; null: it doesn't run, or nothing connects us with it any more. */
  get pid(): number | null {
    return this.#isClosed ? null : (this.#child?.pid ?? null);
  }

  /** Whether it has written anything to stdout. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /** How it ended. */
  get ending(): Ending {
    const child = this.#child;
    if (child === null || !hasEnded(child)) return null;
    return { code: child.exitCode, signal: child.signalCode };
  }

  /** Resolves when it has ended by itself, or after so many milliseconds. */
  async endsWithin(waitMs: number): Promise<boolean> {
    return this.#child !== null && endsWithin(this.#child, waitMs);
  }

  /**
   * Ends it and what it has started: its input ends; what is still there after `graceMs` is asked to end, and after as long
   * again it is killed. Resolves when all is gone, or after three times `graceMs`.
   */
  async end(graceMs: number): Promise<void> {
    const child = this.#child;
    // Once all was gone, the number of the group may be another's.
    if (child?.pid === undefined || this.#isGone) return;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await groupEndsWithin(child, graceMs)) break;
      await endGroup(child, signal);
    }
    // What was killed is gone, even while nobody has taken note of it.
    await endsWithin(child, graceMs);
    this.#isGone = true;
    // A program that left the group may hold on to these.
    letGo(child);
  }

  async close(): Promise<void> {
    await this.end(GRACE_MS);
  }
}

function letGo({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}
