/**
 * What is written in each chat and not yet sent. It is saved at once in the page's storage and, after a pause, by the
 * service: the first survives a crash of the tab or the service being away, the second works across ports, browsers and
 * windows. The newer of two counts; the one being typed in always is the newer.
 */
/* eslint-disable svelte/prefer-svelte-reactivity -- nothing is drawn from the others */
import { SvelteMap } from 'svelte/reactivity';
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Draft } from '../../shared/api/draft.ts';
import type { ApiClient } from '../api/client.ts';
import { ConnectionProblem } from '../api/problem.ts';
import {
  draftText,
  isStored,
  keptDrafts,
  laterThan,
  reconcile,
  recordOf,
  type DraftRecord,
} from './kept-drafts.ts';
import { isBlank, joinWritings, NOTHING_WRITTEN, type Writing } from './writing.ts';

/** How long typing must pause before the draft is sent to the service, in milliseconds. */
const SEND_AFTER_MS = 1_000;
/** A box that was typed in this recently keeps its content, in milliseconds. */
const LATELY_MS = 3_000;

interface DraftPorts {
  api: Pick<ApiClient, 'listDrafts' | 'putDraft'>;
  /** Resolves when the service can be reached again. */
  whenOnline(): Promise<void>;
  /** A newer draft from elsewhere replaced something written here that the service didn't have. */
  onReplaced(chatKey: string, lost: Writing): void;
}

export class Drafts {
  readonly #kept: ReturnType<typeof keptDrafts>;
  readonly #ports: DraftPorts;
  readonly #records = new SvelteMap<string, DraftRecord>();
  readonly #typedAt = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #sending = new Set<string>();
  readonly #unwatch: () => void;
  #confirmations = 0;
  #closed = false;

  constructor(workspaceId: string, ports: DraftPorts) {
    this.#kept = keptDrafts(workspaceId);
    this.#ports = ports;
    for (const chatKey of this.#kept.keys()) {
      const record = this.#kept.read(chatKey);
      if (record) this.#put(chatKey, record);
    }
    this.#unwatch = this.#kept.watch((chatKey) => this.#noteOtherWindow(chatKey));
  }

  read(chatKey: string): Writing {
    return this.#records.get(chatKey) ?? NOTHING_WRITTEN;
  }

  has(chatKey: string): boolean {
    return !isBlank(this.read(chatKey));
  }

  /** Saves what a person has just written. Empty text deletes the draft, here and on the service. */
  write(chatKey: string, writing: Writing): void {
    this.#typedAt.set(chatKey, performance.now());
    this.#stamp(chatKey, writing);
  }

  /** Puts a text and files before what is being written in a chat. */
  prepend(chatKey: string, earlier: Writing): void {
    this.write(chatKey, joinWritings([earlier, this.read(chatKey)]));
  }

  addFile(chatKey: string, file: Attachment): void {
    const { text, files } = this.read(chatKey);
    this.write(chatKey, { text, files: [...files, file] });
  }

  move(from: string, to: string): void {
    const { text, files } = this.read(from);
    if (isBlank({ text, files })) return;
    this.write(to, { text, files });
    this.write(from, NOTHING_WRITTEN);
  }

  /** Compares with the service's drafts: takes newer ones, and sends those that it lacks. Rejects as the API does. */
  async refresh(): Promise<void> {
    const confirmations = this.#confirmations;
    const theirs = new Map((await this.#ports.api.listDrafts()).map((draft) => [draft.chatKey, draft]));
    // The answer may be older than what was sent meanwhile, so a draft missing from it proves nothing.
    if (this.#closed || confirmations !== this.#confirmations) return;
    for (const chatKey of new Set([...this.#records.keys(), ...theirs.keys()]))
      this.#merge(chatKey, theirs.get(chatKey));
  }

  /** Sends drafts that are waiting to be sent: the box was left. */
  flush(): void {
    for (const [chatKey, timer] of this.#timers) {
      clearTimeout(timer);
      this.#timers.delete(chatKey);
      void this.#send(chatKey);
    }
  }

  /** Stops. Anything unsent is sent now or, if that fails, at the next start. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#unwatch();
  }

  #stamp(chatKey: string, { text, files }: Writing): void {
    const before = this.#records.get(chatKey);
    if (!before && isBlank({ text, files })) return;
    const updatedAt = laterThan(before?.updatedAt);
    this.#put(chatKey, { text, files, updatedAt, storedAt: before?.storedAt ?? null });
    // If the storage is full, the draft is sent to the service at once.
    this.#plan(chatKey, this.#save(chatKey) ? SEND_AFTER_MS : 0);
  }

  #plan(chatKey: string, delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(chatKey));
    this.#timers.set(
      chatKey,
      setTimeout(() => {
        this.#timers.delete(chatKey);
        void this.#send(chatKey);
      }, delayMs),
    );
  }

  #save(chatKey: string): boolean {
    const record = this.#records.get(chatKey) ?? null;
    return this.#kept.write(chatKey, record, record === null || isBlank(record) || isStored(record));
  }

  async #send(chatKey: string): Promise<void> {
    const record = this.#records.get(chatKey);
    if (!record || isStored(record) || this.#closed || this.#sending.has(chatKey)) return;
    this.#sending.add(chatKey);
    let lost = false;
    try {
      const counts = await this.#ports.api.putDraft(chatKey, draftText(record), record.updatedAt);
      this.#confirm(chatKey, record, counts);
    } catch (problem) {
      // It is in the page's storage, so if the service refuses it, it is sent again with the next change or at the next start.
      lost = problem instanceof ConnectionProblem;
    } finally {
      this.#sending.delete(chatKey);
    }
    if (lost) await this.#ports.whenOnline();
    const changed = this.#records.get(chatKey)?.updatedAt !== record.updatedAt;
    if ((lost || changed) && !this.#timers.has(chatKey)) this.#plan(chatKey, SEND_AFTER_MS);
  }

  #confirm(chatKey: string, sent: DraftRecord, counts: Draft): void {
    // Another instance may have taken over, with newer text.
    if (this.#closed) return;
    this.#confirmations += 1;
    const now = this.#records.get(chatKey);
    if (!now) return;
    const isSame = now.updatedAt === sent.updatedAt;
    // The service corrects times that are ahead of its clock.
    if (isSame && counts.updatedAt < sent.updatedAt)
      this.#put(chatKey, { ...now, updatedAt: counts.updatedAt });
    // What was written meanwhile is sent next.
    if (isSame || counts.updatedAt >= now.updatedAt) this.#merge(chatKey, counts);
  }

  /** Merges with the service's draft; undefined: it has none. */
  #merge(chatKey: string, draft: Draft | undefined): void {
    const ours = this.#records.get(chatKey);
    const verdict = reconcile(ours, draft);
    if (verdict === 'take' && draft) {
      const isLost = ours && !this.#isTyped(chatKey) && !isStored(ours) && !isBlank(ours);
      // Only this browser has the list of files, so they stay.
      this.#take(chatKey, { ...recordOf(draft), files: ours?.files ?? [] });
      if (isLost && draftText(ours) !== draft.text)
        this.#ports.onReplaced(chatKey, { text: ours.text, files: ours.files });
    } else if (verdict === 'push') void this.#send(chatKey);
    else if (verdict === 'drop' && !this.#isTyped(chatKey)) this.#replace(chatKey, null);
    else if (verdict === 'keep' && ours)
      this.#replace(chatKey, isBlank(ours) ? null : { ...ours, storedAt: ours.updatedAt });
  }

  /** Takes a newer draft from elsewhere, unless a person is typing here: what is typed wins. */
  #take(chatKey: string, theirs: DraftRecord): void {
    const ours = this.#records.get(chatKey);
    if (ours && this.#isTyped(chatKey)) {
      this.#put(chatKey, { ...ours, updatedAt: theirs.updatedAt });
      this.#stamp(chatKey, ours);
    } else this.#replace(chatKey, theirs);
  }

  #replace(chatKey: string, record: DraftRecord | null): void {
    this.#put(chatKey, record);
    this.#save(chatKey);
  }

  /** Another window of this origin wrote to the shared storage. */
  #noteOtherWindow(chatKey: string): void {
    const ours = this.#records.get(chatKey);
    const theirs = this.#kept.read(chatKey);
    if (!theirs) {
      if (ours && isBlank(ours)) this.#put(chatKey, null);
    } else if (!ours || theirs.updatedAt > ours.updatedAt) this.#take(chatKey, theirs);
    // The other window has had it stored.
    else if (theirs.updatedAt === ours.updatedAt) this.#put(chatKey, theirs);
  }

  #isTyped(chatKey: string): boolean {
    return performance.now() - (this.#typedAt.get(chatKey) ?? -LATELY_MS) < LATELY_MS;
  }

  #put(chatKey: string, record: DraftRecord | null): void {
    if (record === null) this.#records.delete(chatKey);
    else this.#records.set(chatKey, record);
  }
}
