import { Type, type Static } from 'typebox';
import { MAX_NAME_CHARACTERS } from '../limits.ts';
import { list, object, orNull, partial, text, Timestamp } from './common.ts';

export const Workspace = object('A separate set of chats.', {
  id: text('Unique id.', '9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'),
  name: text('Its display name.', 'Personal'),
  createdAt: Timestamp,
  defaultModel: orNull(Type.String(), 'The model of its new chats; null: the offline assistant.'),
});
export type Workspace = Static<typeof Workspace>;

/** Answer of `GET /api/v1/workspaces`, oldest first. */
export const WorkspaceList = Type.Object({
  workspaces: list(Workspace, 'Oldest first.'),
});

export const Name = text('Its display name.', { pattern: '\\S', maxLength: MAX_NAME_CHARACTERS });

/** Body of `POST /api/v1/workspaces`; needs the scope `admin`. */
export const WorkspaceBody = Type.Object({ name: Name });

/** Body of `PATCH /api/v1/workspaces/:workspaceId`; needs the scope `admin`. Absent fields stay as they are. */
export const UpdateWorkspaceBody = partial({
  name: Name,
  defaultModel: orNull(Type.String({ maxLength: 400 }), {
    expected: 'a model that GET /api/v1/models names, or null',
  }),
});
export type UpdateWorkspaceBody = Static<typeof UpdateWorkspaceBody>;

/** Answer of every endpoint about one workspace. */
export const WorkspaceAnswer = Type.Object({ workspace: Workspace });
