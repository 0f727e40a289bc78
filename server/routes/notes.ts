import { Type } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { NoteAnswer, NoteBody, NoteList } from '../../shared/api/note.ts';
import type { Note } from '../../shared/api/note.ts';
import type { NoteService } from '../chats/notes.ts';
import { AppError } from '../errors.ts';
import { requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';

const NoteParams = Type.Object({ noteId: Type.String({ description: 'Id of the note.' }) });

/** What the routes below call. */
export interface NoteRouteDeps {
  notes: NoteService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about what Parley was asked to remember. */
export function setupNoteRoutes(app: App, { notes, hasWorkspace }: NoteRouteDeps): void {
  app.get(
    '/api/v1/notes',
    {
      schema: {
        operationId: 'listNotes',
        summary: 'List notes',
        tags: ['Notes'],
        description: 'All of the workspace, newest first.',
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        response: { 200: NoteList },
      },
    },
    async (request) => ({ notes: await notes.list(requireWorkspaceId(request, hasWorkspace)) }),
  );

  app.post(
    '/api/v1/notes',
    {
      schema: {
        operationId: 'addNote',
        summary: 'Remember something',
        tags: ['Notes'],
        description:
          'What is remembered already, but for upper and lower case, is not kept twice: the answer is that note.',
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        body: NoteBody,
        response: { 200: NoteAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => ({
      note: await notes.add(requireWorkspaceId(request, hasWorkspace), request.body.text),
    }),
  );

  app.patch(
    '/api/v1/notes/:noteId',
    {
      schema: {
        operationId: 'changeNote',
        summary: 'Change a note',
        tags: ['Notes'],
        errors: ['workspace_required'],
        params: NoteParams,
        querystring: WorkspaceQuery,
        body: NoteBody,
        response: { 200: NoteAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return answerWith(await notes.change(workspaceId, request.params.noteId, request.body.text));
    },
  );

  app.delete(
    '/api/v1/notes/:noteId',
    {
      schema: {
        operationId: 'removeNote',
        summary: 'Forget a note',
        tags: ['Notes'],
        description: 'The answer holds it for the last time: it can’t be restored.',
        errors: ['workspace_required'],
        params: NoteParams,
        querystring: WorkspaceQuery,
        response: { 200: NoteAnswer },
      },
    },
    async (request) =>
      answerWith(await notes.remove(requireWorkspaceId(request, hasWorkspace), request.params.noteId)),
  );
}

function answerWith(note: Note | null): NoteAnswer {
  if (note === null) throw new AppError('note_not_found');
  return { note };
}
