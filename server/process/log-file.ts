/**
 * The log of an app that has no terminal: lines with their time in files that replace each other. Keys and tokens are
 * masked here, whatever was passed in; that nothing in it was written by people is up to those who log (fault-report.ts).
 * A log is never a reason to stop: while the disk refuses, lines are dropped, and later the log says how many.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import { makeFolder } from '../lib/make-folder.ts';
import { redact } from '../lib/redact.ts';
import { withTimeout } from '../lib/with-timeout.ts';

/** Where to log. */
export interface LogFileOptions {
  /** Made when it isn't there, for its owner only. */
  dir: string;
  /** Name of the newest file; older ones have `.1` to `.5` behind it. `parley.log` unless given. */
  name?: string;
}

/** An open log. */
export interface LogFile {
  /** The newest file. */
  path: string;
  /** Adds a line, or several, with the time. Never throws, and waits for nothing. */
  write(line: string): void;
  /** Resolves when all is written that can be, within a second; what is written afterwards is dropped. */
  close(): Promise<void>;
}

const MAX_FILE = '1M';
const OLD_FILES = 5;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_LINES = 60;
/** Kept in memory for a disk that is slow; what comes on top is dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** How soon a disk that refused is tried again. */
const RETRY_MS = 30_000;
const CLOSE_WAIT_MS = 1_000;
/** All but tab: a log is read in terminals, too. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Opens a log for adding to it; made with its first line. Only one process may have it open. */
export function openLogFile({ dir, name = 'parley.log' }: LogFileOptions, retryMs = RETRY_MS): LogFile {
  const path = join(dir, name);
  let stream: RotatingFileStream | null = null;
  let retryAt = 0;
  let dropped = 0;
  let isClosed = false;

  /** Null while the disk refuses. */
  function opened(): RotatingFileStream | null {
    if (stream !== null || performance.now() < retryAt) return stream;
    try {
      makeFolder(dir);
      const own = createStream(name, { path: dir, size: MAX_FILE, rotate: OLD_FILES, mode: 0o600 });
      own.on('error', () => giveUp(own));
      own.on('open', () => makePrivate(dir, path));
      stream = own;
    } catch {
      retryAt = performance.now() + retryMs;
    }
    return stream;
  }

  function giveUp(refused: RotatingFileStream): void {
    if (stream !== refused) return;
    stream = null;
    retryAt = performance.now() + retryMs;
    refused.destroy();
  }

  function write(line: string): void {
    if (isClosed) return;
    const out = opened();
    if (out === null || out.writableLength > MAX_WAITING_BYTES) {
      dropped += 1;
      return;
    }
    const time = new Date().toISOString();
    const gap = dropped === 0 ? '' : `${time} (${dropped} entries could not be written)\n`;
    dropped = 0;
    out.write(`${gap}${time} ${entry(line)}\n`, (error) => {
      if (error) dropped += 1;
    });
  }

  return {
    path,
    write,
    async close() {
      isClosed = true;
      const last = stream;
      if (last === null || last.destroyed) return;
      const { promise: ended, resolve } = Promise.withResolvers<undefined>();
      last.on('error', () => resolve(undefined));
      last.end(() => resolve(undefined));
      await withTimeout(CLOSE_WAIT_MS, ended);
    },
  };
}

/** Files and folders of earlier versions or other hands may be readable by others. */
function makePrivate(dir: string, path: string): void {
  try {
    chmodSync(dir, 0o700);
    chmodSync(path, 0o600);
  } catch {
    // Where that can't be done, the log is as private as its folder.
  }
}

/** Masked first, since half a key may not look like one any more. */
function entry(text: string): string {
  const lines = redact(text.slice(0, MAX_LINES * MAX_LINE_CHARACTERS))
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '?')
    .trimEnd()
    .split('\n');
  const shown = lines.slice(0, MAX_LINES).map((line, index) => (index === 0 ? '' : '  ') + cut(line));
  if (lines.length > MAX_LINES) shown.push(`  … ${lines.length - MAX_LINES} more lines`);
  return shown.join('\n');
}

const cut = (line: string): string =>
  line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS)}…`;
