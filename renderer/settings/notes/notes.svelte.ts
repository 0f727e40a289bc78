import type { Note } from '../../../shared/api/note.ts';
import type { NoteApi } from '../../api/notes.ts';

/** What Parley was asked to remember in this workspace. All methods reject as the API does. */
export class Notes {
  /** Newest first. */
  items = $state.raw<readonly Note[]>([]);
  loaded = $state(false);
  readonly #api: NoteApi;

  constructor(api: NoteApi) {
    this.#api = api;
  }

  async refresh(): Promise<void> {
    this.items = await this.#api.listNotes();
    this.loaded = true;
  }

  async add(text: string): Promise<void> {
    const note = await this.#api.addNote(text);
    if (!this.items.some(({ id }) => id === note.id)) this.items = [note, ...this.items];
  }

  async change(id: string, text: string): Promise<void> {
    const changed = await this.#api.changeNote(id, text);
    this.items = this.items.map((note) => (note.id === id ? changed : note));
  }

  async remove(id: string): Promise<void> {
    await this.#api.removeNote(id);
    this.items = this.items.filter((note) => note.id !== id);
  }
}
