import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChatService, type ChatService } from '../../server/chats/chat-service.ts';
import { createMessageFiles } from '../../server/chats/message-files.ts';
import { createFileStore } from '../../server/files/file-store.ts';
import type { AgentRuntime } from '../../server/agents/turn.ts';
import type { ResolveAccess } from '../../server/connections/access.ts';
import { createApprovals, type PendingApprovals } from '../../server/turns/approvals.ts';
import type { ToolSource } from '../../server/tools/tool.ts';
import { createProcessor, type Processor } from '../../server/turns/processor.ts';
import { createSearchIndexer, type SearchIndexer } from '../../server/search/search-indexer.ts';
import { findChat, type StoredChat } from '../../server/store/chat-repository.ts';
import type { StoredMessage } from '../../server/store/message-repository.ts';
import { openStore } from '../../server/store/store.ts';
import type { Store } from '../../server/store/types.ts';
import { APPROVAL_WINDOW_MS } from '../../shared/limits.ts';
import { createWorkspace } from '../../server/store/workspace-repository.ts';
import { createMortalDisk, type MortalDisk } from './mortal-disk.ts';
import { createScriptedRuntime, type ScriptedRuntime, type ScriptedTurn } from './scripted-runtime.ts';
import { listMessages } from './list-messages.ts';

export const WORKSPACE = 'workspace-1';

export interface ProcessingOptions {
  onTurn?: (turn: ScriptedTurn) => void;
  /** Creates the replies in place of the scripted runtime. */
  agents?: AgentRuntime;
  turnTimeoutMs?: () => number;
  concurrency?: number;
  resolveAccess?: ResolveAccess;
  /** Wraps the store of each life. */
  wrap?: (store: Store) => Store;
  clock?: () => Date;
  /** External tools; each life gets new ones from here. */
  sources?: readonly ToolSource[];
  approvalMs?: number;
}

/** One process's life: everything it holds in memory. */
export interface Life {
  store: Store;
  disk: MortalDisk;
  runtime: ScriptedRuntime;
  search: SearchIndexer;
  processor: Processor;
  chats: ChatService;
  approvals: PendingApprovals;
  /** Internal faults that the processor met. */
  errors: unknown[];
}

/** A store in its own folder with the processor and the chat service over it, which can die and live again. */
export interface Processing {
  readonly life: Life;
  /** The process is killed, and another takes over. */
  crash(): Promise<void>;
  /** It is stopped cleanly, and started again. */
  restart(): Promise<void>;
  /** Stops it and removes the folder. */
  remove(): Promise<void>;
  chat(chatId: string): StoredChat;
  messages(chatId: string): StoredMessage[];
  createWorkspace(id: string): Promise<void>;
  /** Makes a chat, in {@link WORKSPACE} unless another is given; returns its id. */
  createChat(workspaceId?: string): Promise<string>;
  send(chatId: string, content: string, idempotencyKey?: string): ReturnType<ChatService['send']>;
  /** Resolves when the condition holds; rejects when it doesn't for 20 s. */
  until(condition: () => boolean, what?: string): Promise<void>;
  /** Resolves with the chat when it is idle. */
  untilAtRest(chatId: string): Promise<StoredChat>;
}

export async function startProcessing(options: ProcessingOptions = {}): Promise<Processing> {
  const root = await mkdtemp(join(tmpdir(), 'parley-processing-'));
  const dir = join(root, 'store');
  let life = await begin(dir, options);
  await life.store.write((writer) =>
    createWorkspace(writer, { id: WORKSPACE, name: 'Personal', createdAt: new Date().toISOString() }),
  );

  async function end(): Promise<void> {
    life.search.close();
    await life.processor.close();
    await life.store.close();
  }

  const processing: Processing = {
    get life() {
      return life;
    },
    async crash() {
      life.search.close();
      await life.disk.kill();
      life = await begin(dir, options);
    },
    async restart() {
      await end();
      life = await begin(dir, options);
    },
    async remove() {
      await end();
      await rm(root, { recursive: true, force: true });
    },
    chat(chatId) {
      const chat = life.store.read((reader) => findChat(reader, chatId));
      if (chat === null) throw new Error(`no chat ${chatId}`);
      return chat;
    },
    messages: (chatId) => life.store.read((reader) => listMessages(reader, chatId)),
    createWorkspace: (id) =>
      life.store.write((writer) =>
        createWorkspace(writer, { id, name: id, createdAt: new Date().toISOString() }),
      ),
    createChat: async (workspaceId = WORKSPACE) =>
      (await life.chats.create({ workspaceId, agentType: 'orchestrator' })).id,
    send: (chatId, content, idempotencyKey) =>
      life.chats.send({
        chatId,
        workspaceId: life.store.read((reader) => findChat(reader, chatId))?.workspaceId ?? WORKSPACE,
        content,
        toolReach: 'all',
        mode: 'agent',
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      }),
    async until(condition, what = 'the condition') {
      const deadline = performance.now() + 20_000;
      while (!condition()) {
        if (performance.now() > deadline) throw new Error(`Waited 20 s for ${what}.`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async untilAtRest(chatId) {
      const isAtRest = (): boolean => ['idle', 'failed', 'stopped'].includes(processing.chat(chatId).status);
      await processing.until(isAtRest, 'the chat to be at rest');
      return processing.chat(chatId);
    },
  };
  return processing;
}

async function begin(dir: string, options: ProcessingOptions): Promise<Life> {
  const disk = createMortalDisk();
  const opened = await openStore({ dir, disk, limits: { checkIntervalMs: 20 } });
  const store = options.wrap?.(opened) ?? opened;
  const runtime = createScriptedRuntime(options.onTurn ?? null);
  const errors: unknown[] = [];
  const clock = options.clock ?? (() => new Date());
  const deps = { store, clock, newId: randomUUID };
  const search = createSearchIndexer(store);
  const approvals = createApprovals(deps);
  const files = createFileStore({ store, dataDir: dir, disk });
  const processor = createProcessor({
    ...deps,
    runtime: options.agents ?? runtime,
    search,
    approvals,
    toolSources: options.sources ?? [],
    files,
    approvalMs: options.approvalMs ?? APPROVAL_WINDOW_MS,
    resolveAccess: options.resolveAccess ?? (() => Promise.resolve({ kind: 'built_in' })),
    nameChats: () => false,
    timeZone: () => 'UTC',
    turnTimeoutMs: () => options.turnTimeoutMs?.() ?? 60_000,
    concurrency: options.concurrency ?? 32,
    onError: (error) => errors.push(error),
  });
  await processor.recover();
  return {
    store,
    disk,
    runtime,
    search,
    processor,
    chats: createChatService({
      ...deps,
      processor,
      files: createMessageFiles({
        ...deps,
        files,
      }),
    }),
    approvals,
    errors,
  };
}
