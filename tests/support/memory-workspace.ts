import type { EarlierMessage, Note, WorkspacePort } from '../../server/tools/tool.ts';

/** A workspace kept in memory, for tests of tools and models. */
export interface MemoryWorkspace extends WorkspacePort {
  /** Notes now kept, oldest first. */
  readonly notes: Note[];
  /** Messages that can be found; tests add to it. */
  readonly messages: EarlierMessage[];
}

/** Creates an empty one. Times count up from the start of 2026, one minute a note. */
export function createMemoryWorkspace(messages: EarlierMessage[] = []): MemoryWorkspace {
  const notes: Note[] = [];
  let made = 0;
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    notes,
    messages,
    async searchMessages(query, limit) {
      const wanted = words(query);
      return messages
        .filter((message) => {
          const held = words(message.snippet);
          return wanted.length > 0 && wanted.every((word) => held.some((one) => one.startsWith(word)));
        })
        .slice(0, limit);
    },
    async addNote(text) {
      made += 1;
      const note = {
        id: `note-${made}`,
        text,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, made)).toISOString(),
      };
      notes.push(note);
      return note;
    },
    listNotes: () => notes.toReversed(),
    async deleteNote(id) {
      const index = notes.findIndex((note) => note.id === id);
      if (index >= 0) notes.splice(index, 1);
      return index >= 0;
    },
  };
}
