import { Type, type Static } from 'typebox';
import { MAX_NAME_CHARACTERS } from '../limits.ts';
import { orNull, Timestamp } from './common.ts';

export const Workspace = Type.Object(
  {
    id: Type.String({
      description: 'Unique id.',
      examples: ['9a3e5f71-2c4d-4b8a-a6f0-1d2e3c4b5a69'],
    }),
    name: Type.String({ description: 'Its display name.', examples: ['Personal'] }),
    createdAt: Timestamp,
    defaultModel: orNull(Type.String(), {
      description: 'The model of its new chats; null: the offline assistant.',
    }),
  },
  { description: 'A separate set of chats.' },
);
export type Workspace = Static<typeof Workspace>;

/** Answer of `GET /api/v1/workspaces`, oldest first. */
export const WorkspaceList = Type.Object({
  workspaces: Type.Array(Workspace, { description: 'Oldest first.' }),
});
export type WorkspaceList = Static<typeof WorkspaceList>;

export const Name = Type.String({
  description: 'Its display name.',
  pattern: '\\S',
  maxLength: MAX_NAME_CHARACTERS,
});

/** Body of `POST /api/v1/workspaces`; needs the scope `admin`. */
export const WorkspaceBody = Type.Object({ name: Name });
export type WorkspaceBody = Static<typeof WorkspaceBody>;

/** Body of `PATCH /api/v1/workspaces/:workspaceId`; needs the scope `admin`. Absent fields stay as they are. */
export const UpdateWorkspaceBody = Type.Partial(
  Type.Object({
    name: Name,
    defaultModel: orNull(Type.String({ maxLength: 400 }), {
      expected: 'a model that GET /api/v1/models names, or null',
    }),
  }),
);
export type UpdateWorkspaceBody = Static<typeof UpdateWorkspaceBody>;

/** Answer of every endpoint about one workspace. */
export const WorkspaceAnswer = Type.Object({ workspace: Workspace });
export type WorkspaceAnswer = Static<typeof WorkspaceAnswer>;
