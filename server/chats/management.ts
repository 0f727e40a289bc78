/** Puts together what people do to chats, workspaces and agents as wholes, apart from the conversations. */
import { createAgentService, type AgentService } from '../agents/agent-service.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Processor } from '../turns/processor.ts';
import type { Store } from '../store/types.ts';
import { createChatChanges, type ChatChanges } from './change-chat.ts';
import { createDraftService, type DraftService } from './drafts.ts';
import { createEraser } from './eraser.ts';
import { createMessageFiles, type MessageFiles } from './message-files.ts';
import { createNoteService, type NoteService } from './notes.ts';
import { createProjectService, type ProjectService } from './projects.ts';
import { createPromptService, type PromptService } from './prompts.ts';
import { createPurge, type Purge } from './purge.ts';
import { createWorkspaceService, type WorkspaceService } from './workspaces.ts';

/** The services behind the routes, and the housekeeping, which has to be started and closed. */
export interface Management {
  agents: AgentService;
  chatChanges: ChatChanges;
  drafts: DraftService;
  notes: NoteService;
  projects: ProjectService;
  prompts: PromptService;
  workspaces: WorkspaceService;
  files: MessageFiles;
  purge: Purge;
}

/** What management works with. */
export interface ManagementDeps {
  store: Store;
  processor: Processor;
  fileStore: FileStore;
  clock: () => Date;
  newId: () => string;
  log: (line: string) => void;
}

/** Management of one store. */
export function createManagement({
  store,
  processor,
  fileStore,
  clock,
  newId,
  log,
}: ManagementDeps): Management {
  const files = createMessageFiles({ store, files: fileStore, clock, newId });
  const eraser = createEraser({ store, files: fileStore, clock });
  const purge = createPurge({ store, eraser, files, clock, log });
  const chatChanges = createChatChanges({ store, processor, purge, clock });
  return {
    agents: createAgentService({ store, clock }),
    chatChanges,
    drafts: createDraftService({ store, clock }),
    notes: createNoteService({ store, clock, newId }),
    projects: createProjectService({ store, clock, newId, deleteChat: (chat) => chatChanges.remove(chat) }),
    prompts: createPromptService({ store, clock, newId }),
    workspaces: createWorkspaceService({ store, clock, newId }),
    files,
    purge,
  };
}
