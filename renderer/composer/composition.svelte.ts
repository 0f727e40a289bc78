import type { Attachment } from '../../shared/api/attachment.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import type { Drafts } from '../chats/drafts.svelte.ts';
import type { Upload, Uploads } from '../chats/uploads.svelte.ts';
import { NOTHING_WRITTEN, type Writing } from '../chats/writing.ts';
import { countCharacters } from '../lib/count-characters.ts';

/** The count of characters is shown from this close to the limit. */
const COUNT_FROM_CHARACTERS = 5_000;

/** What {@link Composition} uses. */
export interface CompositionPorts {
  drafts: Pick<Drafts, 'read' | 'write' | 'addFile'>;
  uploads: Uploads;
}

/** The message being written in one conversation: its draft. */
export class Composition {
  /** There is nothing to send. */
  readonly blank = $derived.by(() => this.text.trim() === '' && this.files.length === 0);
  // Counting characters of a long text takes time, and there are never more of them than UTF-16 units.
  /** Characters that still fit; null far from the limit, negative beyond it. */
  readonly left = $derived.by(() =>
    this.text.length > MAX_CONTENT_CHARACTERS - COUNT_FROM_CHARACTERS
      ? MAX_CONTENT_CHARACTERS - countCharacters(this.text)
      : null,
  );
  readonly #ports: CompositionPorts;
  readonly #draftKey: () => string;

  constructor(ports: CompositionPorts, draftKey: () => string) {
    this.#ports = ports;
    this.#draftKey = draftKey;
  }

  get text(): string {
    return this.#writing.text;
  }

  set text(text: string) {
    this.#writing = { text, files: this.files };
  }

  get files(): readonly Attachment[] {
    return this.#writing.files;
  }

  /** Files that aren't uploaded yet. */
  get uploads(): readonly Upload[] {
    return this.#ports.uploads.of(this.#draftKey());
  }

  /** Replaces the current text, or appends to it. */
  insert(text: string, replaces: boolean): void {
    const before = replaces ? '' : this.text.trimEnd();
    this.text = before === '' ? text : `${before}\n\n${text}`;
  }

  /** Clears everything, including the draft. */
  clear(): void {
    this.#writing = NOTHING_WRITTEN;
  }

  /** Clears the text, and the files if they were only for it. */
  clearText(alsoFiles: boolean): void {
    this.#writing = { text: '', files: alsoFiles ? [] : this.files };
  }

  /** Uploads files; each becomes part of the draft, whatever chat is open by then. */
  attach(given: readonly File[]): void {
    const { drafts, uploads } = this.#ports;
    uploads.add(this.#draftKey(), given, this.files.length, (key, file) => drafts.addFile(key, file));
  }

  remove({ id }: Attachment): void {
    this.#writing = { text: this.text, files: this.files.filter((file) => file.id !== id) };
  }

  get #writing(): Writing {
    return this.#ports.drafts.read(this.#draftKey());
  }

  set #writing(writing: Writing) {
    this.#ports.drafts.write(this.#draftKey(), writing);
  }
}
