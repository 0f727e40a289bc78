import { Type } from 'typebox';
import { NoteAnswer, NoteBody, NoteList } from '../../shared/api/note.ts';
import type { NoteService } from '../chats/notes.ts';
import { found } from '../errors.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

const NoteParams = Type.Object({ noteId: Type.String({ description: 'Id of the note.' }) });

/** Endpoints about what Parley was asked to remember. */
export function setupNoteRoutes(app: App, notes: NoteService): void {
  const api = createEndpoints(app, 'Notes');
  api.get('/api/v1/notes', {
    operationId: 'listNotes',
    summary: 'List notes',
    description: 'All notes of the workspace, newest first.',
    response: { 200: NoteList },
    workspace: 'required',
    handle: async ({ workspaceId }) => ({ notes: await notes.list(workspaceId) }),
  });

  api.post('/api/v1/notes', {
    operationId: 'addNote',
    summary: 'Create a note',
    description:
      'A note with the same text, ignoring case, is not stored twice: the response is the existing note.',
    body: NoteBody,
    response: { 200: NoteAnswer },
    workspace: 'required',
    handle: async ({ body, workspaceId }) => ({
      note: await notes.add(workspaceId, body.text),
    }),
  });

  api.patch('/api/v1/notes/:noteId', {
    operationId: 'changeNote',
    summary: 'Change a note',
    params: NoteParams,
    body: NoteBody,
    response: { 200: NoteAnswer },
    workspace: 'required',
    handle: async ({ params, body, workspaceId }) => ({
      note: found(await notes.change(workspaceId, params.noteId, body.text), 'note_not_found'),
    }),
  });

  api.delete('/api/v1/notes/:noteId', {
    operationId: 'removeNote',
    summary: 'Delete a note',
    description: 'The response holds the deleted item. It can’t be restored.',
    params: NoteParams,
    response: { 200: NoteAnswer },
    workspace: 'required',
    handle: async ({ params, workspaceId }) => ({
      note: found(await notes.remove(workspaceId, params.noteId), 'note_not_found'),
    }),
  });
}
