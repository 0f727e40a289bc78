import { Type, type Static } from 'typebox';
import { Timestamp } from './common.ts';

/** A set of chats that are kept apart from others. */
export const Workspace = Type.Object({ id: Type.String(), name: Type.String(), createdAt: Timestamp });
export type Workspace = Static<typeof Workspace>;

/** Answer of `GET /api/v1/workspaces`, oldest first. */
export const WorkspaceList = Type.Object({ workspaces: Type.Array(Workspace) });
export type WorkspaceList = Static<typeof WorkspaceList>;
