/**
 * The single-instance lock, across real processes that share a user-data folder. Asking is synchronous, so it is a file:
 * the first process's id. Later ones leave a note beside it, which the first one finds.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LOOK_EVERY_MS = 40;

/** A second process's message to the first. */
export interface SecondInstance {
  argv: string[];
  workingDirectory: string;
  additionalData: unknown;
}

export class SingleInstance {
  #folder: string | null = null;
  #looking: NodeJS.Timeout | undefined;

  get held(): boolean {
    return this.#folder !== null;
  }

  /** Whether this process is the first; otherwise the first is notified. */
  request(userData: string, additionalData: unknown): boolean {
    if (this.#folder !== null) return true;
    const folder = join(userData, 'stand-in-single-instance');
    mkdirSync(folder, { recursive: true });
    for (;;) {
      try {
        writeFileSync(join(folder, 'owner'), String(process.pid), { flag: 'wx' });
        this.#folder = folder;
        process.once('exit', () => this.release());
        return true;
      } catch {
        if (isAlive(readOwner(folder))) break;
        rmSync(join(folder, 'owner'), { force: true });
      }
    }
    const note: SecondInstance = { argv: process.argv, workingDirectory: process.cwd(), additionalData };
    const name = `${process.pid}-${Date.now()}`;
    writeFileSync(join(folder, `${name}.writing`), JSON.stringify(note));
    renameSync(join(folder, `${name}.writing`), join(folder, `${name}.note`));
    return false;
  }

  /** Reports notes from now on, oldest first. */
  listen(told: (second: SecondInstance) => void): void {
    this.#looking = setInterval(() => {
      const folder = this.#folder;
      if (folder === null) return;
      for (const name of readdirSync(folder).filter((file) => file.endsWith('.note'))) {
        const note = JSON.parse(readFileSync(join(folder, name), 'utf8')) as SecondInstance;
        rmSync(join(folder, name));
        told(note);
      }
    }, LOOK_EVERY_MS);
  }

  release(): void {
    if (this.#folder !== null) rmSync(join(this.#folder, 'owner'), { force: true });
    this.#folder = null;
    clearInterval(this.#looking);
  }
}

function readOwner(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'owner'), 'utf8'));
  } catch {
    return 0;
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
