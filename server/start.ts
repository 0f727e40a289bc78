/**
 * Puts the service together and takes it apart: owner → store → keys → processor → app → listen → connection.json.
 */
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { buildApp } from './app.ts';
import { createChatWaits } from './events/chat-waits.ts';
import { createActivity } from './events/activity.ts';
import { findAnswerer } from './agents/answerers.ts';
import { createEventStreams } from './events/event-streams.ts';
import { createExchanges } from './events/exchanges.ts';
import { createStatelessTurns } from './turns/stateless-turns.ts';
import { createWatch } from './events/watch.ts';
import { createWebhooks } from './events/webhooks.ts';
import { createRequestLog } from './plugins/request-log.ts';
import { openAuth } from './auth/open-auth.ts';
import { digestOf } from './auth/keys.ts';
import { createKeyRing } from './auth/key-ring.ts';
import { createKeyService } from './auth/key-service.ts';
import { hasLocalKey, openLocalKey } from './auth/local-key.ts';
import { toChat } from './store/chat-columns.ts';
import { createChatService } from './chats/chat-service.ts';
import { createManagement } from './chats/management.ts';
import { environmentProxies, localTimeZone } from './config.ts';
import { createFindRoute } from './net/route.ts';
import { createResolveAccess } from './connections/access.ts';
import { createConnectionService } from './connections/connection-service.ts';
import { clearConnectionFile, publishConnection } from './process/owner/connection-file.ts';
import { createContextService } from './agents/context-service.ts';
import { findNewestBackup } from './data/backup-folder.ts';
import { createBackupSchedule } from './data/backup-schedule.ts';
import { createDataService } from './data/data-service.ts';
import { describeFault, nameFault } from './lib/fault-report.ts';
import { createFileStore } from './files/file-store.ts';
import { createKeptRounds } from './routes/openai/kept-rounds.ts';
import { createProcessor } from './turns/processor.ts';
import { createAgentThreads } from './turns/agent-threads.ts';
import { createApprovals } from './turns/approvals.ts';
import { createFileTools } from './tools/files/file-tools.ts';
import { createFolderService } from './tools/files/folder-service.ts';
import { createMcpService } from './mcp/mcp-service.ts';
import { createSkillService } from './tools/files/skill-service.ts';
import { createSkillTools } from './tools/files/skill-tool.ts';
import { createWebTools } from './tools/web/web-tools.ts';
import { ownDataDir } from './process/owner/owner.ts';
import { explainStart } from './process/start-refusal.ts';
import { closeApp, listenWhereSet } from './process/listening.ts';
import type { Chat } from '../shared/api/chat.ts';
import { APPROVAL_WINDOW_MS } from '../shared/limits.ts';
import type { Service, StartOptions } from './service.ts';
import { createTeardown, type Teardown } from './process/teardown.ts';
import { makeDataFolder } from './process/owner/windows-rights.ts';
import { threadUrl } from './lib/threads.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSearchIndexer } from './search/search-indexer.ts';
import { createSearchService } from './search/search-service.ts';
import { openSchedules } from './schedules/open-schedules.ts';
import { createSettingsService } from './store/settings-service.ts';
import { findChat, type StoredChat } from './store/chat-repository.ts';
import { openStore } from './store/store.ts';
import { VERSION } from './lib/version.ts';
import { openFirstWorkspace, workspaceCheck } from './chats/workspaces.ts';

const MS_PER_MINUTE = 60_000;

/**
 * Starts the service and resolves when it answers requests. Throws OwnedError if another process uses the data folder,
 * PortUnavailableError if the chosen port is taken, and any error from reading the data.
 */
export async function startService(options: StartOptions): Promise<Service> {
  const dataDir = resolve(options.dataDir);
  const { log = (line: string) => void process.stderr.write(`${line}\n`) } = options;
  const teardown = createTeardown(log);
  try {
    return await start({ ...options, dataDir, log, teardown });
  } catch (error) {
    await teardown.run();
    throw explainStart(error, dataDir);
  }
}

interface StartContext extends StartOptions {
  log: (line: string) => void;
  teardown: Teardown;
}

async function start(context: StartContext): Promise<Service> {
  const { dataDir, port = null, pageDir = null, log, teardown } = context;
  const toLog =
    (what: string) =>
    (error: unknown): void =>
      log(`${what}: ${describeFault(error)}`);
  const clock = (): Date => new Date();
  const newId = randomUUID;
  const startedAt = clock().toISOString();
  await makeDataFolder(dataDir, log);
  const ownership = await ownDataDir(dataDir, log);
  teardown.addLast('owner', () => ownership.release());
  await clearConnectionFile(dataDir).catch((error: unknown) =>
    log(`connection.json of an earlier start can't be removed: ${nameFault(error)}`),
  );

  const store = await openStore({
    ...context.store,
    dir: join(dataDir, 'store'),
    warn: log,
    reclaim: () => ownership.reclaim(),
    isExpected: hasLocalKey(dataDir),
    newestBackup: () => findNewestBackup(dataDir),
  });
  teardown.addLast('store', () => store.close());

  const workspaceId = await openFirstWorkspace(store, startedAt);
  const keys = createKeyRing({ store, clock, newId });
  const localKey = await openLocalKey(dataDir, keys, workspaceId);
  ownership.onReclaim(() => localKey.restore());

  const settings = createSettingsService(store);
  // It starts nothing until it is warmed up or given a turn.
  const agents = createAgentThreads({ workerUrl: threadUrl('agent-worker'), log });
  const runtime = context.runtime ?? agents;
  teardown.add('agents', () => runtime.close());
  const indexer = createSearchIndexer(store);
  teardown.add('search index', async () => indexer.close());
  const secrets = createSecrets({ dataDir, openBox: context.openSecretBox ?? (async () => null), log });
  teardown.add('secrets', () => secrets.close());
  ownership.onReclaim(() => secrets.restore());
  const basics = { store, clock, newId };
  const findRoute = createFindRoute({
    environment: environmentProxies(),
    systemProxy: context.systemProxy ?? null,
    certificateFile: () => settings.current().certificateFile,
  });
  const { sources = [], web = {}, approvalMs = APPROVAL_WINDOW_MS } = context.hostTools ?? {};
  const folders = createFolderService({ ...basics, dataDir });
  const skills = createSkillService({ ...basics, dataDir });
  const approvals = createApprovals(basics);
  const mcpServers = createMcpService({
    ...context.mcp,
    ...basics,
    findRoute,
    secrets,
    log,
    onApprovalsWithdrawn: () => approvals.recheck(),
    onError: toLog('tool servers'),
  });
  teardown.add('tool servers', () => mcpServers.close());
  const toolSources = [
    createFileTools({ folders: () => folders.list(), isAnyAllowed: () => folders.isAny(), dataDir }),
    createSkillTools(skills),
    createWebTools({ isOn: () => settings.current().webFetch, options: { findRoute, ...web } }),
    mcpServers.tools,
    ...sources,
  ];
  const resolveAccess = createResolveAccess(store, secrets, findRoute);
  const turnTimeoutMs = (): number => settings.current().turnTimeoutMinutes * MS_PER_MINUTE;
  const { disk } = context.store ?? {};
  const fileStore = createFileStore({ store, dataDir, disk });
  const processor = createProcessor({
    ...basics,
    files: fileStore,
    runtime,
    resolveAccess,
    nameChats: () => settings.current().nameChats,
    search: indexer,
    approvals,
    approvalMs,
    toolSources,
    timeZone: localTimeZone,
    turnTimeoutMs,
    onError: (error, chatId) => log(`chat ${chatId}: ${describeFault(error)}`),
  });
  teardown.add('processor', () => processor.close());
  const onListenerError = toLog('a listener failed');
  const activity = createActivity({ store, processor, onError: onListenerError });
  teardown.add('activity', async () => activity.close());
  const settingsWatch = createWatch({ store, read: () => settings.current(), onError: onListenerError });
  teardown.add('settings watch', async () => settingsWatch.close());
  await processor.recover();
  const management = createManagement({ ...basics, processor, fileStore, log });
  teardown.add('purge', () => management.purge.close());
  const data = createDataService({ ...basics, files: fileStore, dataDir, disk });
  await data.recover();
  const backups = createBackupSchedule({ data, settings, log });
  teardown.add('scheduled backups', async () => backups.close());

  const contexts = createContextService({ ...basics, runtime, resolveAccess, timeZone: localTimeZone });
  teardown.add('contexts', async () => contexts.close());

  const statelessTurns = createStatelessTurns({
    ...basics,
    runtime,
    resolveAccess,
    timeZone: localTimeZone,
    turnTimeoutMs,
    onError: toLog('a stateless turn'),
  });
  const connections = createConnectionService({
    ...context.connections,
    ...basics,
    secrets,
    findRoute,
    onChanged(slug, isRemoved) {
      for (const { forEachTurn } of [processor, statelessTurns])
        forEachTurn((turn) => turn.noteConnection(slug, isRemoved));
    },
  });
  teardown.add('connections', () => connections.close());

  const auth = await openAuth({ store, keys, dataDir, clock });
  const { identity, sessions } = auth;
  ownership.onReclaim(() => identity.restore());
  const hasWorkspace = workspaceCheck(store);
  const asChat = (chat: StoredChat): Chat => toChat(chat, processor);
  const requests = createRequestLog();
  const webhooks = createWebhooks({
    store,
    secrets,
    findRoute,
    onDelivery: ({ id, key, url: target, status, problem, durationMs }) =>
      requests.note({
        method: 'POST',
        target,
        status,
        ...(problem !== null && { problem }),
        durationMs,
        requestId: id,
        caller: `webhook of ${key}`,
      }),
    onError: toLog('webhooks'),
  });
  teardown.add('webhooks', async () => webhooks.close());
  const chats = createChatService({ ...basics, processor, files: management.files });
  const schedules = openSchedules({
    ...basics,
    chats,
    toolSources,
    timeZone: localTimeZone,
    onError: toLog('schedules'),
  });
  teardown.add('schedules', async () => schedules.close());
  const app = buildApp({
    chats,
    schedules,
    waits: createChatWaits({ store, processor, read: (chatId) => chats.findSeen(chatId, null) }),
    streams: createEventStreams({ store, processor, onError: toLog('event stream') }),
    data,
    ...auth,
    firstWorkspaceId: workspaceId,
    hasWorkspace,
    ...management,
    approvals,
    findAnswerer: (name, workspace) => store.read((reader) => findAnswerer(reader, name, workspace)),
    statelessTurns,
    keptRounds: createKeptRounds(),
    exchanges: createExchanges({ store, processor, onError: onListenerError }),
    toChat: asChat,
    connections,
    folders,
    skills,
    mcpServers,
    contexts,
    keys: createKeyService({ keys, hasWorkspace, secrets, clock }),
    localKey,
    search: createSearchService({ store, indexer, toChat: asChat }),
    settings,
    web: { findRoute, ...web },
    usage: () => fileStore.report(store.usage(), secrets.notices()),
    settled: () => store.settled(),
    requests,
    version: VERSION,
    pageDir,
    dataDir,
    onError: (error, requestId) => log(`request ${requestId}: ${describeFault(error)}`),
  });
  teardown.add('http', () => closeApp(app));
  const { port: boundPort, note: portNote } = await listenWhereSet(app, port, settings.current().port);
  if (portNote !== null) log(portNote);
  const url = `http://127.0.0.1:${boundPort}`;

  const found = {
    baseUrl: url,
    apiKey: localKey.text,
    publicKey: identity.publicKey,
    pid: process.pid,
    version: VERSION,
    startedAt,
  };
  const connection = await publishConnection(dataDir, found, log);
  ownership.onReclaim(() => connection.restore());
  localKey.onRotate = (text) => connection.updateKey(text);
  teardown.add('connection.json', () => connection.withdraw());
  management.purge.start();
  void fileStore.sweep().catch(toLog('files that no message has'));
  webhooks.start();
  schedules.start();
  void connections.tidy();
  void mcpServers.tidy();
  if (context.runtime === undefined) agents.warm();

  return {
    url,
    port: boundPort,
    portNote,
    get apiKey() {
      return localKey.text;
    },
    dataDir,
    workspaceId,
    startedAt,
    keys,
    store,
    openSession: () => ({ apiKey: sessions.open({ browserId: null, keyDigest: null }), workspaceId }),
    findWorkspaceOf: (chatId) => store.read((reader) => findChat(reader, chatId))?.workspaceId ?? null,
    settings,
    onSettingsChange: (listener) => settingsWatch.on(listener),
    activity,
    secrets,
    createPageUrl: () => `${url}/#token=${sessions.createToken(digestOf(localKey.text))}`,
    close: () => teardown.run(),
  };
}
