/**
 * Files being uploaded. They live outside the components, which come and go, and are sent one after the other, so that they
 * keep their order. The service is on this computer: no progress is shown.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_ATTACHMENTS } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { ApiProblem, WordedProblem } from '../api/problem.ts';
import { describeProblem } from '../api/problem-words.ts';
import type { ServiceConnection } from '../api/connection.svelte.ts';
import { readChosen, uploadFile } from '../api/files.ts';
import { describeBytes } from '../lib/sizes.ts';
import { words } from '../lib/words/index.ts';
import type { Toasts } from '../ui/toasts.svelte.ts';

interface UploadPorts {
  api: Pick<ApiClient, 'open'>;
  connection: ServiceConnection;
  toasts: Pick<Toasts, 'show'>;
}

/** Adds an uploaded file to what is being written. */
type Take = (owner: string, file: Attachment) => void;

/** A file that the service doesn't have yet. */
export interface Upload {
  /** Made up by this page. */
  id: string;
  /** The key of the draft or edit that it belongs to. */
  owner: string;
  file: File;
  /** `sending`: or queued behind others. `waiting`: for the connection. `failed`: it was refused. */
  state: 'sending' | 'waiting' | 'failed';
  /** Why it was refused, in words. */
  problem: string;
  /** Whether a retry may work; not if the file itself is at fault. */
  canRetry: boolean;
  take: Take;
}

export class Uploads {
  #items = $state.raw<readonly Upload[]>([]);
  readonly #ports: UploadPorts;
  #aborting = new AbortController();
  #current: string | null = null;

  constructor(ports: UploadPorts) {
    this.#ports = ports;
  }

  of(owner: string): readonly Upload[] {
    return this.#items.filter((item) => item.owner === owner);
  }

  /** A reload would lose some. */
  get atRisk(): boolean {
    return this.#items.some(({ state }) => state !== 'failed');
  }

  /**
   * Uploads files, as many as a message may have besides the `count` that it has; `take` is called with each uploaded one,
   * and with its owner at that time.
   */
  add(owner: string, files: readonly File[], count: number, take: Take): void {
    const room = Math.max(0, MAX_MESSAGE_ATTACHMENTS - count - this.of(owner).length);
    for (const file of files.slice(0, room)) {
      const id = crypto.randomUUID();
      this.#items = [
        ...this.#items,
        { id, owner, file, state: 'sending', problem: '', canRetry: true, take },
      ];
    }
    if (files.length > room) {
      const text = words.files.leftOut(MAX_MESSAGE_ATTACHMENTS, files.length - room);
      this.#ports.toasts.show({ text, kind: 'problem' });
    }
    void this.#work();
  }

  retry(id: string): void {
    this.#change(id, { state: 'sending', problem: '' });
    void this.#work();
  }

  /** Drops an upload, even one under way. */
  drop(id: string): void {
    this.#items = this.#items.filter((item) => item.id !== id);
    if (this.#current === id) this.#aborting.abort();
  }

  /** A new chat was created: its uploads belong to it now. */
  move(from: string, to: string): void {
    this.#items = this.#items.map((item) => (item.owner === from ? { ...item, owner: to } : item));
  }

  /** Drops all uploads of a draft or edit that was discarded. */
  dropAll(owner: string): void {
    for (const { id } of this.of(owner)) this.drop(id);
  }

  async #work(): Promise<void> {
    if (this.#current !== null) return;
    for (let item = this.#next(); item; item = this.#next()) {
      this.#current = item.id;
      await this.#send(item);
      this.#current = null;
    }
  }

  #next(): Upload | undefined {
    return this.#items.find(({ state }) => state === 'sending');
  }

  async #send({ id, file }: Upload): Promise<void> {
    this.#aborting = new AbortController();
    const { signal } = this.#aborting;
    try {
      const bytes = await readWhole(file);
      const send = (): Promise<Attachment> => uploadFile(this.#ports.api, file.name, bytes, signal);
      const taken = await this.#ports.connection.untilAnswered(send, (online) => {
        this.#change(id, { state: online ? 'sending' : 'waiting' });
        return this.#find(id) !== undefined;
      });
      const item = this.#find(id);
      this.drop(id);
      if (taken !== null) item?.take(item.owner, taken);
    } catch (problem) {
      const canRetry = !isAboutFile(problem);
      this.#change(id, { state: 'failed', problem: describeUploadProblem(problem), canRetry });
    }
  }

  #find(id: string): Upload | undefined {
    return this.#items.find((item) => item.id === id);
  }

  #change(id: string, change: Partial<Upload>): void {
    this.#items = this.#items.map((item) => (item.id === id ? { ...item, ...change } : item));
  }
}

const isAboutFile = (problem: unknown): boolean =>
  problem instanceof WordedProblem ||
  (problem instanceof ApiProblem && [400, 413, 415].includes(problem.status));

/** The whole file is read before it is sent: one that can't be read, or changes meanwhile, would look like a lost connection. */
async function readWhole(file: File): Promise<ArrayBuffer> {
  if (file.size > MAX_ATTACHMENT_BYTES) {
    throw new WordedProblem(words.files.tooLarge(describeBytes(MAX_ATTACHMENT_BYTES)));
  }
  const bytes = await readChosen(file);
  if (bytes.byteLength === 0) throw new WordedProblem(words.files.empty);
  return bytes;
}

function describeUploadProblem(problem: unknown): string {
  const isWrongKind = problem instanceof ApiProblem && problem.code === 'unsupported_media_type';
  return isWrongKind ? words.files.wrongKind : describeProblem(problem);
}
