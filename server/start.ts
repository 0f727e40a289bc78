/**
 * Puts the service together and takes it apart: owner → store → keys → processor → app → listen → connection.json.
 * What is slow to load is loaded while something else waits.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createActivity, type Activity } from './activity/activity.ts';
import { createWatch } from './activity/watch.ts';
import { createBadKeyLimiter } from './auth/bad-key-limiter.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { createKeyRing, type KeyRing } from './auth/key-ring.ts';
import { createKeyService } from './auth/key-service.ts';
import { openLocalKey } from './auth/local-key.ts';
import { createReturns } from './auth/returns.ts';
import { createSessions } from './auth/sessions.ts';
import type { AgentRuntime } from './agents/turn.ts';
import { toChat } from './chats/api-objects.ts';
import { createManagement } from './chats/management.ts';
import { localTimeZone } from './config.ts';
import { createResolveAccess } from './connections/access.ts';
import { createConnectionService, type ConnectionOptions } from './connections/connection-service.ts';
import { clearConnectionFile, publishConnection } from './connection-file.ts';
import { createDataService } from './data/data-service.ts';
import { describeFault } from './fault-report.ts';
import { ownDataDir } from './owner.ts';
import { closeApp, listenOnLoopback, listenWhereSet } from './listening.ts';
import type { Settings } from '../shared/api/settings.ts';
import { createTeardown, type Teardown } from './teardown.ts';
import { createSecrets, type SecretBox, type Secrets } from './secrets/secrets.ts';
import { createSearchIndexer } from './search/search-indexer.ts';
import { createSearchService } from './search/search-service.ts';
import { createSettingsService, type SettingsService } from './settings/settings-service.ts';
import { findChat } from './store/chat-repository.ts';
import type { Store } from './store/types.ts';
import { createWorkspace, findWorkspace, listWorkspaces } from './store/workspace-repository.ts';
import { VERSION } from './version.ts';

/** How to start the service. */
export interface StartOptions {
  /** Made when it isn't there, readable by its owner only. */
  dataDir: string;
  /** Null: 4141, or the next that is free. 0: any free one. Any other: that one or an error. Null unless given. */
  port?: number | null;
  /** Folder of the built chat page; null, the default: there is none. */
  pageDir?: string | null;
  /** Takes what a person who runs the service should know, a line at a time. Standard error unless given. */
  log?: (line: string) => void;
  /** Makes the replies, and is closed with the service; the agents of this app in a thread of their own unless given. */
  runtime?: AgentRuntime;
  /**
   * Opens what secrets are sealed with, when the first secret is asked for; null, as when this is absent: there is nothing,
   * and they stand in a file that only its owner may read.
   */
  openSecretBox?: () => Promise<SecretBox | null>;
  /** How model servers are dealt with, where that differs. */
  connections?: ConnectionOptions;
}

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** A sentence for the person, when the service is not where the settings say; else null. */
  portNote: string | null;
  /** The local key, as it is now. */
  readonly apiKey: string;
  /** The data folder as an absolute path. */
  dataDir: string;
  /** The workspace that exists from the start. */
  workspaceId: string;
  startedAt: string;
  /** A link that opens the chat page signed in, once. */
  createPageUrl(): string;
  /** A session for a window of this process: a key that works in all workspaces until the service stops. */
  openSession(): { apiKey: string; workspaceId: string };
  /** The workspace of a chat; null: there is no such chat, or it was deleted. */
  findWorkspaceOf(chatId: string): string | null;
  settings: SettingsService;
  /** Has the listener told the settings whenever one has changed and that is on disk, until what this returns is called. */
  onSettingsChange(listener: (settings: Settings) => void): () => void;
  /** What goes on, for a host that shows it outside of any window. */
  activity: Activity;
  /** Keys of others, such as model providers'. */
  secrets: Secrets;
  keys: KeyRing;
  store: Store;
  /** Stops within 5 seconds: requests under way are answered, turns under way go on at the next start. */
  close(): Promise<void>;
}

const FIRST_WORKSPACE_NAME = 'Personal';
const MS_PER_MINUTE = 60_000;

/**
 * Starts the service and resolves when it answers requests. Throws OwnedError when another process has the data folder,
 * PortUnavailableError for a chosen port that is taken, and whatever keeps the data from being read.
 */
export async function startService(options: StartOptions): Promise<Service> {
  const { port = null, pageDir = null, log = (line) => void process.stderr.write(`${line}\n`) } = options;
  const { openSecretBox = () => Promise.resolve(null) } = options;
  const dataDir = resolve(options.dataDir);
  const teardown = createTeardown(log);
  try {
    return await start({
      dataDir,
      port,
      pageDir,
      log,
      teardown,
      runtime: options.runtime ?? null,
      openSecretBox,
      connections: options.connections ?? {},
    });
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

interface StartContext {
  dataDir: string;
  port: number | null;
  pageDir: string | null;
  log: (line: string) => void;
  teardown: Teardown;
  runtime: AgentRuntime | null;
  openSecretBox: () => Promise<SecretBox | null>;
  connections: ConnectionOptions;
}

async function start(context: StartContext): Promise<Service> {
  const { dataDir, port, pageDir, log, teardown } = context;
  const clock = (): Date => new Date();
  const startedAt = clock().toISOString();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const ownership = await ownDataDir(dataDir);
  teardown.add('owner', () => ownership.release());
  await clearConnectionFile(dataDir);

  const opening = import('./store/store.ts').then(({ openStore }) =>
    openStore({ dir: join(dataDir, 'store'), warn: log }),
  );
  teardown.add('store', () =>
    opening.then(
      (opened) => opened.close(),
      () => undefined,
    ),
  );
  const [
    { buildApp },
    { createChatService },
    { createProcessor },
    { createEventStreams },
    runtimeModule,
    { agentWorkerUrl },
  ] = await Promise.all([
    import('./app.ts'),
    import('./chats/chat-service.ts'),
    import('./processor/processor.ts'),
    import('./streams/event-streams.ts'),
    import('./agents/worker-runtime.ts'),
    import('./agents/worker-url.ts'),
  ]);
  const store = await opening;

  const workspaceId = await openFirstWorkspace(store, startedAt);
  const keys = createKeyRing({ store, clock, newId: randomUUID });
  const localKey = await openLocalKey(dataDir, keys, workspaceId);

  const settings = createSettingsService(store);
  // It has started nothing before it is warmed or given a turn.
  const agents = runtimeModule.createWorkerRuntime({ workerUrl: agentWorkerUrl(), log });
  const runtime = context.runtime ?? agents;
  teardown.add('agents', () => runtime.close());
  const indexer = createSearchIndexer(store);
  teardown.add('search index', async () => indexer.close());
  const secrets = createSecrets({ dataDir, openBox: context.openSecretBox, log });
  teardown.add('secrets', () => secrets.close());
  const processor = createProcessor({
    store,
    runtime,
    resolveAccess: createResolveAccess(store, secrets),
    search: indexer,
    clock,
    newId: randomUUID,
    timeZone: localTimeZone,
    turnTimeoutMs: () => settings.current().turnTimeoutMinutes * MS_PER_MINUTE,
    onError: (error, chatId) => log(`chat ${chatId}: ${describeFault(error)}`),
  });
  teardown.add('processor', () => processor.close());
  const onListenerError = (error: unknown): void => log(`a listener failed: ${describeFault(error)}`);
  const activity = createActivity({ store, processor, onError: onListenerError });
  teardown.add('activity', async () => activity.close());
  const settingsWatch = createWatch({
    store,
    read: () => settings.current(),
    isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    onError: onListenerError,
  });
  teardown.add('settings watch', async () => settingsWatch.close());
  await processor.recover();
  const management = createManagement({ store, processor, clock, newId: randomUUID, log });
  teardown.add('purge', () => management.purge.close());
  const data = createDataService({ store, dataDir, clock, newId: randomUUID });
  await data.recover();

  const connections = createConnectionService({
    ...context.connections,
    store,
    secrets,
    clock,
    newId: randomUUID,
  });
  teardown.add('connections', () => connections.close());

  const isKeyInForce = (digest: string): boolean => keys.find(digest, Date.now()) !== null;
  const sessions = createSessions(isKeyInForce);
  const returns = createReturns({ store, clock, isKeyInForce });
  const hasWorkspace = workspaceCheck(store);
  const app = buildApp({
    chats: createChatService({ store, processor, clock, newId: randomUUID }),
    streams: createEventStreams({
      store,
      processor,
      onError: (error, chatId) => log(`stream of chat ${chatId}: ${describeFault(error)}`),
    }),
    data,
    authenticator: createAuthenticator({
      keys,
      sessions,
      returns,
      limiter: createBadKeyLimiter(),
      clock: Date.now,
    }),
    sessions,
    returns,
    firstWorkspaceId: workspaceId,
    hasWorkspace,
    ...management,
    connections,
    keys: createKeyService({ keys, localKey, hasWorkspace, clock }),
    search: createSearchService({
      store,
      indexer,
      toChat: (chat) => toChat(chat, (chatId) => processor.queuePosition(chatId)),
    }),
    settings,
    settled: () => store.settled(),
    version: VERSION,
    pageDir,
    onError: (error, requestId) => log(`request ${requestId}: ${describeFault(error)}`),
  });
  teardown.add('http', () => closeApp(app));
  const { port: boundPort, note: portNote } =
    port === null
      ? await listenWhereSet(app, settings.current().port)
      : { port: await listenOnLoopback(app, port), note: null };
  if (portNote !== null) log(portNote);
  const url = `http://127.0.0.1:${boundPort}`;

  const connection = await publishConnection(dataDir, {
    baseUrl: url,
    apiKey: localKey.text,
    pid: process.pid,
    version: VERSION,
    startedAt,
  });
  localKey.onRotate = (text) => connection.updateKey(text);
  teardown.add('connection.json', () => connection.withdraw());
  ownership.announce(url);
  management.purge.start();
  void connections.tidy();
  if (runtime === agents) agents.warm();

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
    openSession: () => ({ apiKey: sessions.open(null), workspaceId }),
    findWorkspaceOf: (chatId) => store.read((reader) => findChat(reader, chatId))?.workspaceId ?? null,
    settings,
    onSettingsChange: (listener) => settingsWatch.on(listener),
    activity,
    secrets,
    createPageUrl: () => `${url}/#token=${sessions.createToken(null)}`,
    close: () => teardown.run(),
  };
}

async function openFirstWorkspace(store: Store, createdAt: string): Promise<string> {
  const [first] = store.read(listWorkspaces);
  if (first !== undefined) return first.id;
  const workspace = { id: randomUUID(), name: FIRST_WORKSPACE_NAME, createdAt };
  await store.write((writer) => createWorkspace(writer, workspace));
  return workspace.id;
}

/** Every request of an unbound key asks this; workspaces are never removed, so one that was found stays found. */
function workspaceCheck(store: Store): (id: string) => boolean {
  const found = new Set<string>();
  return (id) => {
    if (found.has(id)) return true;
    const exists = store.read((reader) => findWorkspace(reader, id)) !== null;
    if (exists) found.add(id);
    return exists;
  };
}
