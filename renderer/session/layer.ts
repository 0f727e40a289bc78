import type { Chat } from '../../shared/api/chat.ts';
import type { Project } from '../../shared/api/project.ts';

/** A dialog that needs no more than its kind. */
export type PlainLayer = 'palette' | 'help' | 'rehearsals' | 'new_workspace' | 'rename_workspace';

/** A dialog over the page. `move`: chats that a person is choosing where to move. */
export type Layer =
  | { kind: PlainLayer }
  | { kind: 'move'; chats: readonly Chat[]; to: 'project' | 'workspace' }
  /** A project is created (null) or changed; the chats are moved into it. */
  | { kind: 'project'; project: Project | null; chats: readonly Chat[] }
  | { kind: 'delete_project'; project: Project };
