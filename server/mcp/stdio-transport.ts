/**
 * A program that speaks MCP over its standard streams. It is started and ended here rather than by the library, which
 * ends only the program and not the processes it started, takes longer than a stopping service has, and doesn't report
 * why a program ended.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { PassThrough } from 'node:stream';
import {
  parseJSONRPCMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'cross-spawn';
import { endGroup, endsWithin, groupEndsWithin, HAS_GROUPS, hasEnded } from './program-group.ts';
import { LineBuffer } from './line-buffer.ts';
import type { SecretValues } from '../secrets/mask.ts';
import { ASKS_TOO_MUCH, GRACE_MS } from './connection.ts';
import { tidyEnvelope } from './tidy-message.ts';

/** How a program ended: its exit code, or the signal that ended it; null: it hasn't. */
export type ProcessEnd = { code: number | null; signal: string | null } | null;

/** Longest message that is taken from a program, in bytes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** The message for a program that sends a longer one. */
const SENDS_TOO_MUCH =
  'The tool server answered with more than the 16 MB that can be read, so it was let go.';

/** Most answers that the program may leave unread. */
const MAX_ANSWERS = 1_000;
/** How long to wait for a program's last output after its end. */
const LAST_WORDS_MS = 500;

/** A program that `start` starts; once `end` has resolved, it and everything it started are gone. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** What it writes to stderr. The library recognizes a program by this property's name. */
  readonly stderr = new PassThrough();
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #values: SecretValues;
  readonly #received = new LineBuffer(MAX_MESSAGE_BYTES);
  /** Answers to its requests that it hasn't read yet. */
  #answering = 0;
  #child: ChildProcessWithoutNullStreams | null = null;
  /** Whether it has written anything to stdout. */
  hasSpoken = false;
  /** The system's error for a program that isn't there; null: it is, or nobody knows yet. */
  missing: Error | null = null;
  #isClosed = false;
  #isGone = false;
  /** Why it was let go of, in words; null: it was not, or not by us. */
  refusal: string | null = null;

  /** The program gets `values` and the few environment variables that all programs need, but none other of this process. */
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
    child.on('error', (error) => {
      // On Windows a missing program shows only after the shell has looked for it.
      if ('code' in error && error.code === 'ENOENT') this.missing = error;
      this.onerror?.(error);
    });
    child.on('close', () => this.#reportClosed());
    // It may keep running without stdout, but can send nothing any more.
    child.stdout.on('end', () => this.#reportClosed());
    for (const stream of [child.stdin, child.stdout]) stream.on('error', (error) => this.onerror?.(error));
    child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr.pipe(this.stderr);
    // A child process may keep its streams open, which then don't end with it.
    child.on('exit', () => setTimeout(() => letGo(child), LAST_WORDS_MS).unref());
    await once(child, 'spawn');
  }

  #take(chunk: Buffer): void {
    this.hasSpoken = true;
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
      this.onmessage?.(parseJSONRPCMessage(tidyEnvelope(JSON.parse(line.replace(/^\uFEFF/, '')))));
    } catch (error) {
      // Output that isn't even JSON was meant for people.
      if (!(error instanceof SyntaxError)) this.onerror?.(error as Error);
    }
  }

  /** Resolves when the message is written, or can't be any more: `onclose` reports the program's end. */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null || this.#isClosed) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    const isAnswer = !('method' in message);
    if (isAnswer && this.#answering >= MAX_ANSWERS) {
      this.#letGo(ASKS_TOO_MUCH);
      return;
    }
    if (isAnswer) this.#answering += 1;
    await new Promise<void>((resolve) => {
      child.stdin.write(serializeMessage(message), () => resolve());
    });
    if (isAnswer) this.#answering -= 1;
  }

  #letGo(why: string): void {
    if (this.refusal !== null) return;
    this.refusal = why;
    this.#reportClosed();
    // From here on, nobody reads its output.
    this.#child?.stdout.destroy();
    void this.close();
  }

  #reportClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  /** Its process id; null: it isn't running, or the connection to it is closed. */
  get pid(): number | null {
    return this.#isClosed ? null : (this.#child?.pid ?? null);
  }

  /** How it ended. */
  get ending(): ProcessEnd {
    const child = this.#child;
    if (child === null || !hasEnded(child)) return null;
    return { code: child.exitCode, signal: child.signalCode };
  }

  /** Resolves when it has ended by itself, or after `waitMs`. */
  async endsWithin(waitMs: number): Promise<boolean> {
    return this.#child !== null && endsWithin(this.#child, waitMs);
  }

  /**
   * Ends it and everything it started: closes its input, asks what remains after `graceMs` to end, and kills the rest
   * after the same time again. Resolves when everything is gone, or after three times `graceMs`.
   */
  async end(graceMs: number): Promise<void> {
    const child = this.#child;
    // Once everything is gone, the group's number may belong to others.
    if (child?.pid === undefined || this.#isGone) return;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await groupEndsWithin(child, graceMs)) break;
      await endGroup(child, signal);
    }
    // What was killed is gone, even if its exit hasn't been noticed yet.
    await endsWithin(child, graceMs);
    this.#isGone = true;
    // A process that left the group may keep these open.
    letGo(child);
  }

  async close(): Promise<void> {
    await this.end(GRACE_MS);
  }
}

function letGo({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): void {
  for (const stream of [stdin, stdout, stderr]) stream.destroy();
}
