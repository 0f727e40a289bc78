import { NoteAnswer, NoteBody, NoteList } from '../../shared/api/note.ts';
import type { NoteService } from '../chats/notes.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about what Parley was asked to remember. */
export function setupNoteRoutes(app: App, notes: NoteService): void {
  const api = createEndpoints(app, 'Notes', { workspace: 'required' });
  api.get('/api/v1/notes', 'listNotes', 'List notes', {
    description: 'All notes of the workspace, newest first.',
    response: { 200: NoteList },
    result: ({ workspaceId }) => notes.list(workspaceId),
  });

  api.post('/api/v1/notes', 'addNote', 'Create a note', {
    description:
      'A note with the same text, ignoring case, is not stored twice: the response is the existing note.',
    body: NoteBody,
    response: { 200: NoteAnswer },
    result: ({ body, workspaceId }) => notes.add(workspaceId, body.text),
  });

  api.patch('/api/v1/notes/:noteId', 'changeNote', 'Change a note', {
    body: NoteBody,
    response: { 200: NoteAnswer },
    result: ({ params, body, workspaceId }) => notes.change(workspaceId, params.noteId, body.text),
  });

  api.delete('/api/v1/notes/:noteId', 'removeNote', 'Delete a note', {
    description: 'The response holds the deleted item. It can’t be restored.',
    response: { 200: NoteAnswer },
    result: ({ params, workspaceId }) => notes.remove(workspaceId, params.noteId),
  });
}
