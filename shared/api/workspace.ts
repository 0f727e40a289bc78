import { Type, type Static } from 'typebox';
import { MAX_NAME_CHARACTERS } from '../limits.ts';
import { Timestamp } from './common.ts';

/** A set of chats that are kept apart from others. */
export const Workspace = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  /** The model of its new chats; null: the built-in one. */
  defaultModel: Type.Union([Type.String(), Type.Null()]),
});
export type Workspace = Static<typeof Workspace>;

/** Answer of `GET /api/v1/workspaces`, oldest first. */
export const WorkspaceList = Type.Object({ workspaces: Type.Array(Workspace) });
export type WorkspaceList = Static<typeof WorkspaceList>;

/** A name that people give: of a workspace, or of a key. */
export const Name = Type.String({
  pattern: '\\S',
  maxLength: MAX_NAME_CHARACTERS,
  description: `text of 1 to ${MAX_NAME_CHARACTERS} characters that is not only white space`,
});

/** Body of `POST /api/v1/workspaces`; needs the scope `admin`. */
export const WorkspaceBody = Type.Object({ name: Name });
export type WorkspaceBody = Static<typeof WorkspaceBody>;

/** Body of `PATCH /api/v1/workspaces/:workspaceId`; needs the scope `admin`. What is absent stays. */
export const UpdateWorkspaceBody = Type.Partial(
  Type.Object({
    name: Name,
    defaultModel: Type.Union([Type.String({ maxLength: 400 }), Type.Null()], {
      description: 'a model that GET /api/v1/models names, or null',
    }),
  }),
);
export type UpdateWorkspaceBody = Static<typeof UpdateWorkspaceBody>;

/** Answer of every endpoint about one workspace. */
export const WorkspaceAnswer = Type.Object({ workspace: Workspace });
export type WorkspaceAnswer = Static<typeof WorkspaceAnswer>;
