import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../server/app.ts';
import type { Caller } from '../../server/auth/caller.ts';
import type { KeyService } from '../../server/auth/key-service.ts';
import type { Browsers } from '../../server/auth/browsers.ts';
import type { Challenges } from '../../server/auth/challenges.ts';
import type { Identity } from '../../server/auth/identity.ts';
import { createSessions } from '../../server/auth/sessions.ts';
import type { ChatChanges } from '../../server/chats/change-chat.ts';
import type { ChatService } from '../../server/chats/chat-service.ts';
import type { MessageFiles } from '../../server/chats/message-files.ts';
import type { DraftService } from '../../server/chats/drafts.ts';
import type { NoteService } from '../../server/chats/notes.ts';
import type { ProjectService } from '../../server/chats/projects.ts';
import type { PromptService } from '../../server/chats/prompts.ts';
import type { ChatWaits } from '../../server/events/chat-waits.ts';
import type { WorkspaceService } from '../../server/chats/workspaces.ts';
import type { AgentService } from '../../server/agents/agent-service.ts';
import type { ConnectionService } from '../../server/connections/connection-service.ts';
import type { FolderService } from '../../server/tools/files/folder-service.ts';
import type { McpService } from '../../server/mcp/mcp-service.ts';
import type { Exchanges } from '../../server/events/exchanges.ts';
import type { ContextService } from '../../server/agents/context-service.ts';
import type { DataService } from '../../server/data/data-service.ts';
import { AppError } from '../../server/errors.ts';
import { closeApp, listenOnLoopback } from '../../server/process/listening.ts';
import type { Approvals } from '../../server/turns/approvals.ts';
import type { SearchService } from '../../server/search/search-service.ts';
import type { SettingsService } from '../../server/settings/settings-service.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { createTestClient, type TestClient } from '../support/service.ts';

const CALLER: Caller = {
  kind: 'key',
  name: 'test',
  scope: 'chat',
  reach: false,
  approve: false,
  workspaceId: 'w',
};

/** The real app over a chat service whose every call fails as told. */
async function startFailing(fail: () => never): Promise<{ client: TestClient; logged: unknown[] }> {
  const logged: unknown[] = [];
  const failing = async (): Promise<never> => fail();
  const chats: ChatService = {
    create: failing,
    list: failing,
    find: failing,
    look: failing,
    messagesAsJson: failing,
    messageAsJson: failing,
    stepFile: failing,
    admit: () => Promise.resolve(),
    admitTo: () => Promise.resolve(),
    send: failing,
    branch: failing,
    isCancelled: () => fail(),
    continueReply: failing,
    changeWaiting: failing,
    moveWaiting: failing,
    sendWaitingNow: failing,
    stop: failing,
    edit: failing,
    retry: failing,
    showMessage: failing,
    deleteMessage: failing,
    restoreMessage: failing,
  };
  const app = buildApp({
    chats,
    data: {} as DataService,
    web: {},
    files: {} as MessageFiles,
    waits: { enter: fail, close: () => undefined },
    streams: { open: fail, count: 0, close: () => undefined },
    authenticator: { identify: () => CALLER, watch: () => ({ holder: 'a key', isInForce: () => true }) },
    sessions: createSessions({ findKey: () => CALLER, onUse: () => undefined }),
    browsers: {} as Browsers,
    challenges: {} as Challenges,
    identity: {} as Identity,
    firstWorkspaceId: 'w',
    hasWorkspace: () => true,
    chatChanges: {} as ChatChanges,
    drafts: {} as DraftService,
    notes: {} as NoteService,
    projects: {} as ProjectService,
    prompts: {} as PromptService,
    workspaces: {} as WorkspaceService,
    keys: {} as KeyService,
    connections: {} as ConnectionService,
    mcpServers: {} as McpService,
    contexts: {} as ContextService,
    agents: {} as AgentService,
    approvals: {} as Approvals,
    findAnswerer: () => null,
    statelessTurns: { run: fail, close: () => undefined },
    exchanges: {} as Exchanges,
    toChat: fail,
    folders: {} as FolderService,
    search: { search: failing },
    settings: { current: fail, update: failing },
    usage: fail,
    settled: failing,
    version: '1',
    pageDir: null,
    onError: (error, requestId) => logged.push([error, requestId]),
  });
  onTestFinished(() => closeApp(app));
  return { client: createTestClient(await listenOnLoopback(app, 0), 'any'), logged };
}

describe('a fault of ours', () => {
  const fault = new TypeError('secret internals at /home/ada/.ssh');

  it.each([
    ['in a route', (client: TestClient) => client.get('/api/v1/chats')],
    ['while sending', (client: TestClient) => client.post('/api/v1/chats/x/messages', { content: 'hi' })],
    [
      'in the guard',
      (client: TestClient) => client.get('/health', { headers: { origin: 'https://a.example' } }),
    ],
  ])('%s is a 500 that says nothing of it, and is logged with the id of the request', async (_name, call) => {
    const { client, logged } = await startFailing(() => {
      throw fault;
    });
    const answer = await call(client);
    expect([answer.status, answer.error().code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toMatch(/secret|ssh|TypeError/);
    expect(logged).toEqual([[fault, answer.headers['x-request-id']]]);
  });

  it('is a 500 too when something is thrown that is no error at all', async () => {
    const { client } = await startFailing(() => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw null;
    });
    expect((await client.get('/api/v1/chats')).error().code).toBe('internal_error');
  });
});

describe('a store that refuses', () => {
  it.each([
    ['storage_full', 507],
    ['storage_unavailable', 500],
    ['queue_full', 429],
  ] as const)('with %s is answered with %i', async (code, status) => {
    const { client, logged } = await startFailing(() => {
      throw new AppError(code);
    });
    const answer = await client.post('/api/v1/chats/x/messages', { content: 'hi' });
    expect([answer.status, answer.error().code]).toEqual([status, code]);
    expect(logged).toEqual([]);
  });
});

describe('the app without its guard', () => {
  it('lets nobody in', async () => {
    const app = buildApp({
      chats: {} as ChatService,
      data: {} as DataService,
      web: {},
      files: {} as MessageFiles,
      waits: { close: () => undefined } as ChatWaits,
      streams: { open: () => undefined, count: 0, close: () => undefined },
      authenticator: { identify: () => CALLER, watch: () => ({ holder: 'a key', isInForce: () => true }) },
      sessions: createSessions({ findKey: () => CALLER, onUse: () => undefined }),
      browsers: {} as Browsers,
      challenges: {} as Challenges,
      identity: {} as Identity,
      firstWorkspaceId: 'w',
      hasWorkspace: () => true,
      chatChanges: {} as ChatChanges,
      drafts: {} as DraftService,
      notes: {} as NoteService,
      projects: {} as ProjectService,
      prompts: {} as PromptService,
      workspaces: {} as WorkspaceService,
      keys: {} as KeyService,
      connections: {} as ConnectionService,
      mcpServers: {} as McpService,
      contexts: {} as ContextService,
      agents: {} as AgentService,
      approvals: {} as Approvals,
      findAnswerer: () => null,
      statelessTurns: { run: () => Promise.reject(new Error('not used')), close: () => undefined },
      exchanges: {} as Exchanges,
      toChat: () => ({}) as Chat,
      folders: {} as FolderService,
      search: {} as SearchService,
      settings: {} as SettingsService,
      usage: () => ({ bytes: 0, limitBytes: 1, files: { count: 0, bytes: 0 }, state: 'ok', notices: [] }),
      settled: () => Promise.resolve(),
      version: '1',
      pageDir: null,
      onError: () => undefined,
    });
    onTestFinished(() => app.close());
    for (const [method, url] of [
      ['GET', '/api/v1/chats'],
      ['POST', '/api/v1/chats'],
      ['GET', '/api/v1/chats/x'],
      ['GET', '/api/v1/chats/x/messages'],
      ['POST', '/api/v1/chats/x/stop'],
      ['GET', '/api/v1/workspaces'],
      ['POST', '/api/v1/workspaces'],
      ['PATCH', '/api/v1/workspaces/x'],
      ['GET', '/api/v1/connections'],
      ['POST', '/api/v1/connections'],
      ['GET', '/api/v1/mcp-servers'],
      ['POST', '/api/v1/mcp-servers'],
      ['PATCH', '/api/v1/chats/x'],
      ['DELETE', '/api/v1/chats/x'],
      ['POST', '/api/v1/chats/x/restore'],
      ['GET', '/api/v1/drafts'],
      ['GET', '/api/v1/folders'],
      ['POST', '/api/v1/folders'],
      ['DELETE', '/api/v1/folders/x'],
      ['GET', '/api/v1/agents'],
      ['POST', '/api/v1/agents'],
      ['PATCH', '/api/v1/agents/x'],
      ['DELETE', '/api/v1/agents/x'],
      ['GET', '/api/v1/tools'],
      ['GET', '/api/v1/models'],
      ['POST', '/api/v1/session'],
    ] as const) {
      expect((await app.inject({ method, url })).statusCode).toBe(401);
    }
  });
});
