/** Puts together the services for chats, workspaces and agents as a whole, apart from conversations. */
import { createAgentService } from '../agents/agent-service.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Processor } from '../turns/processor.ts';
import type { ServiceDeps } from './deps.ts';
import { createChatChanges } from './change-chat.ts';
import { createDraftService } from './drafts.ts';
import { createEraser } from './eraser.ts';
import { createMessageFiles } from './message-files.ts';
import { createNoteService } from './notes.ts';
import { createProjectService } from './projects.ts';
import { createPromptService } from './prompts.ts';
import { createPurge } from './purge.ts';
import { createWorkspaceService } from './workspaces.ts';

export type Management = ReturnType<typeof createManagement>;

/** The services behind the routes, and the housekeeping, which has to be started and closed. */
export function createManagement({
  fileStore,
  log,
  processor,
  ...deps
}: ServiceDeps & { processor: Processor; fileStore: FileStore; log: (line: string) => void }) {
  const { store, clock } = deps;
  const files = createMessageFiles({ ...deps, files: fileStore });
  const eraser = createEraser({ store, files: fileStore, clock });
  const purge = createPurge({ store, eraser, files, clock, log });
  const chatChanges = createChatChanges({ store, processor, purge, clock });
  return {
    agents: createAgentService(deps),
    chatChanges,
    drafts: createDraftService(deps),
    notes: createNoteService(deps),
    projects: createProjectService(deps, (chat) => chatChanges.remove(chat)),
    prompts: createPromptService(deps),
    workspaces: createWorkspaceService(deps),
    files,
    purge,
  };
}
