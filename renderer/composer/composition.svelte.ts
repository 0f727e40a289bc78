import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { joinWriting, splitWriting, type Writing } from '../chats/file-blocks.ts';
import { countCharacters, MAX_FILES, readTextFile, type RefusedFile, type TextFile } from '../chats/files.ts';
import type { Drafts } from '../chats/drafts.svelte.ts';

/** How many characters from the limit the count begins. */
const COUNT_FROM_CHARACTERS = 5_000;

/** The message being written in one conversation: its text and files, kept as a draft with every change. */
export class Composition {
  text = $state('');
  files = $state.raw<readonly TextFile[]>([]);
  /** Of the files given last, those that were not taken. */
  refused = $state.raw<readonly RefusedFile[]>([]);
  /** How many files are being read. */
  reading = $state(0);
  /** There is nothing to send. */
  readonly blank = $derived(this.text.trim() === '' && this.files.length === 0);
  // Counting characters of a long text takes time, and no text has more of them than UTF-16 units.
  readonly #units = $derived(
    this.files.reduce((sum, file) => sum + file.text.length + file.name.length, this.text.length),
  );
  /** Characters that still fit; null far from the limit, negative beyond it. */
  readonly left = $derived(
    this.#units > MAX_CONTENT_CHARACTERS - COUNT_FROM_CHARACTERS
      ? MAX_CONTENT_CHARACTERS - countCharacters(this.content)
      : null,
  );
  /** The file with the longest text; null without files. */
  readonly longest = $derived(
    this.files.reduce<TextFile | null>(
      (most, file) => (file.text.length > (most?.text.length ?? 0) ? file : most),
      null,
    ),
  );
  readonly #drafts: Pick<Drafts, 'read' | 'write'>;
  readonly #draftKey: () => string;

  /** Goes on with the draft that there is. */
  constructor(drafts: Pick<Drafts, 'read' | 'write'>, draftKey: () => string) {
    this.#drafts = drafts;
    this.#draftKey = draftKey;
    this.take(drafts.read(draftKey()));
  }

  /** The message as it would be sent. */
  get content(): string {
    return joinWriting({ text: this.files.length > 0 ? this.text.trimEnd() : this.text, files: this.files });
  }

  /** Keeps what stands here as the draft. */
  keep(): void {
    this.#drafts.write(this.#draftKey(), { text: this.text, files: this.files });
  }

  /** Shows a draft that was written elsewhere. */
  take({ text, files }: Writing): void {
    this.text = text;
    this.files = files;
  }

  /** Puts a message before what stands here. */
  prepend(message: string): void {
    const { text, files } = splitWriting(message);
    this.text = this.text.trim() === '' ? text : `${text}\n\n${this.text}`;
    this.files = [...files, ...this.files];
    this.keep();
  }

  /** Forgets everything, the draft as well. */
  clear(): void {
    this.take({ text: '', files: [] });
    this.refused = [];
    this.keep();
  }

  /** Forgets the text, and the files whose text a message holds already. */
  clearWhatIsIn(message: string): void {
    const left = this.files.filter(({ text }) => !message.includes(text));
    this.clear();
    this.files = left;
    this.keep();
  }

  /** Adds text files; what can't be taken stands in {@link refused} afterwards. */
  async attach(given: readonly File[]): Promise<void> {
    this.refused = [];
    this.reading += given.length;
    for (const file of given) {
      const read = await readTextFile(file);
      this.reading -= 1;
      if ('trouble' in read) this.refused = [...this.refused, read];
      else this.#add(read);
    }
    this.keep();
  }

  /** Takes a file off again. */
  remove(id: string): void {
    this.files = this.files.filter((file) => file.id !== id);
    this.refused = [];
    this.keep();
  }

  #add(file: TextFile): void {
    if (this.files.some(({ name, text }) => name === file.name && text === file.text)) return;
    if (this.files.length < MAX_FILES) this.files = [...this.files, file];
    else this.refused = [...this.refused, { name: file.name, trouble: 'too_many' }];
  }
}
