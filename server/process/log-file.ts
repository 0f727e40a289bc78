/**
 * The log of an app without a terminal: lines with their time, in rotating files. Keys and tokens are masked here; keeping
 * people's words out is up to the caller (fault-report.ts). A log is never a reason to stop: while the disk refuses, lines are
 * dropped, and later the log says how many.
 */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createStream, type RotatingFileStream } from 'rotating-file-stream';
import { count } from '../../shared/numbers.ts';
import { attempt } from '../../shared/attempt.ts';
import { makeFolder } from '../lib/make-folder.ts';
import { redact } from '../lib/redact.ts';
import { withTimeout } from '../lib/with-timeout.ts';

const MAX_FILE = '1M';
const OLD_FILES = 5;
const MAX_LINE_CHARACTERS = 2_000;
const MAX_LINES = 60;
/** How much is kept in memory while the disk is slow; more is dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** How long to wait after the disk has refused. */
const RETRY_MS = 2_000;
const CLOSE_WAIT_MS = 1_000;
/** All except tabs and line breaks: logs are read in terminals, too. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const NAME = 'parley.log';

/**
 * Opens the log in a folder, to add to it; older files have `.1` to `.5` after their names. Both are created with the first line,
 * for their owner only. Only one process may have it open.
 */
export function openLogFile(dir: string, retryMs = RETRY_MS) {
  /** The newest file. */
  const path = join(dir, NAME);
  let stream: RotatingFileStream | null = null;
  let retryAt = 0;
  let dropped = 0;
  let isClosed = false;

  /** Null while the disk refuses. */
  function opened(): RotatingFileStream | null {
    if (stream !== null || performance.now() < retryAt) return stream;
    try {
      makeFolder(dir);
      const own = createStream(NAME, { path: dir, size: MAX_FILE, rotate: OLD_FILES, mode: 0o600 });
      own.on('error', () => giveUp(own));
      // Existing ones may be readable by others. Where that can't be changed, the log is as private as its folder.
      own.on('open', () =>
        attempt(() => {
          chmodSync(dir, 0o700);
          chmodSync(path, 0o600);
        }),
      );
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

  /** Adds one or more lines with the time. Never throws, and doesn't wait. */
  function write(line: string): void {
    if (isClosed) return;
    const out = opened();
    if (out === null || out.writableLength > MAX_WAITING_BYTES) {
      dropped += 1;
      return;
    }
    const time = new Date().toISOString();
    const gap = dropped === 0 ? '' : `${time} (entries that could not be written: ${dropped})\n`;
    dropped = 0;
    out.write(`${gap}${time} ${entry(line)}\n`, (error) => {
      if (error) dropped += 1;
    });
  }

  return {
    path,
    write,
    /** Resolves when everything is written, or after a second. What is added afterwards is dropped. */
    async close(): Promise<void> {
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

/** Masks first, since half a key may not look like one. */
function entry(text: string): string {
  const lines = redact(text.slice(0, MAX_LINES * MAX_LINE_CHARACTERS))
    .replace(/\r\n?/g, '\n')
    .replace(CONTROL, '?')
    .trimEnd()
    .split('\n');
  const shown = lines.slice(0, MAX_LINES).map((line, index) => (index === 0 ? '' : '  ') + cut(line));
  if (lines.length > MAX_LINES) shown.push(`  … ${count(lines.length - MAX_LINES, 'more line')}`);
  return shown.join('\n');
}

const cut = (line: string): string =>
  line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS)}…`;
