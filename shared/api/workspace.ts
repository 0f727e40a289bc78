import { Type, type Static } from 'typebox';
import { MAX_NAME_CHARACTERS } from '../limits.ts';
import { Timestamp } from './common.ts';

/** A set of chats that are kept apart from others. */
export const Workspace = Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp });
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

/** Body of `POST /api/v1/workspaces` and `PATCH /api/v1/workspaces/:workspaceId`; both need the scope `admin`. */
export const WorkspaceBody = Type.Object({ name: Name });
export type WorkspaceBody = Static<typeof WorkspaceBody>;

/** Answer of every endpoint about one workspace. */
export const WorkspaceAnswer = Type.Object({ workspace: Workspace });
export type WorkspaceAnswer = Static<typeof WorkspaceAnswer>;
