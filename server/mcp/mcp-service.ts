/** Tool servers (MCP), apart from HTTP: managing them, testing them, and the tools they offer to turns. */
import type {
  CreateMcpServerBody,
  McpServer,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { found } from '../errors.ts';
import { openRow, readValues, type ValuesReading } from '../secrets/row-secrets.ts';
import type { ToolSource } from '../tools/tool.ts';
import { findMcpServer, listMcpServers, type StoredMcpServer } from '../store/mcp-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { toServer } from './api-objects.ts';
import { applyChange } from './change-server.ts';
import { createLines, type LinesDeps } from './lines.ts';
import { createMcpChanges, type McpChangeDeps } from './mcp-changes.ts';
import { createMcpTools } from './mcp-tools.ts';
import { checkSecrets, readPlace, secretField } from './read-server.ts';
import type { LineLimits } from './server-line.ts';
import { SERVER_SECRETS } from './server-secrets.ts';
import { testServer, type TestOutcome } from './tester.ts';
import { GRACE_MS, STOP_GRACE_MS } from './connection.ts';

/** Options for tool servers. */
export interface McpOptions {
  /** Missing ones are as in {@link LINE_LIMITS}. */
  limits?: Partial<LineLimits>;
}

/** Dependencies of {@link createMcpService}. */
export interface McpServiceDeps extends McpOptions, McpChangeDeps {
  /** Gets lines for the log: messages for whoever runs the service, and what servers write to stderr. */
  log: (line: string) => void;
  /**
   * Called when questions about a server's tools may have been withdrawn, since it was removed or is reached in another
   * way.
   */
  onQuestionsOver: () => void;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}

/**
 * Manages tool servers. Results are on disk before they are returned; writes reject with AppError when the disk or the
 * key store refuses. Null: there is no such server.
 */
export interface McpService {
  /** All servers, oldest first. */
  list(): Promise<McpServer[]>;
  /** Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
  create(body: CreateMcpServerBody): Promise<McpServer>;
  /**
   * Rejects with AppError `invalid_request`. If it is now reached in another way, its connection is closed and open
   * questions about it are withdrawn.
   */
  update(id: string, change: UpdateMcpServerBody): Promise<McpServer | null>;
  /** Removes a server, its secrets, and the answers about its tools; open questions about them are withdrawn. */
  remove(id: string): Promise<McpServer | null>;
  /** Tests a server that isn't stored. Rejects with AppError `invalid_request`. */
  test(body: TestMcpServerBody): Promise<McpTest>;
  /** Tests a server as it would be after a change; without a change, stores the tools found. */
  testStored(id: string, change: UpdateMcpServerBody): Promise<McpTest | null>;
  /** The tools of servers that are switched on. */
  tools: ToolSource;
  /** Removes secrets that an earlier process left without a server. Never rejects. */
  tidy(): Promise<void>;
  /** Ends all servers' programs and connections, within 2 seconds. */
  close(): Promise<void>;
}

/** Makes the tool-server service of a store. */
export function createMcpService(deps: McpServiceDeps): McpService {
  const { store, secrets, clock, log, onQuestionsOver, onError } = deps;
  const closing = new AbortController();
  const changes = createMcpChanges(deps);
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));
  const lines = createLines({ store, secrets, clock, log, limits: deps.limits ?? {} } satisfies LinesDeps);
  const tests = new Set<Promise<unknown>>();

  async function asServer(server: StoredMcpServer): Promise<McpServer> {
    const { state } = await readValues(SERVER_SECRETS, secrets, server);
    return toServer(server, state, lines.stateOf(server));
  }

  async function stored(id: string): Promise<McpServer | null> {
    const server = find(id);
    return server && asServer(server);
  }

  /** The server with its tools if it lists them soon; otherwise they follow later. */
  async function withTools(id: string): Promise<McpServer | null> {
    const line = lines.of(id);
    if (line !== null) await withTimeout(lines.limits.firstListingMs, line.ready());
    return stored(id);
  }

  async function runTest(server: StoredMcpServer, values: ValuesReading): Promise<TestOutcome> {
    const test = testServer(server, values, {
      openMs: lines.limits.openMs,
      noticeMs: lines.limits.noticeMs,
      graceMs: closing.signal.aborted ? STOP_GRACE_MS : GRACE_MS,
      signal: closing.signal,
      log: (line) => log(`tool server ${server.slug}: ${line}`),
    });
    tests.add(test);
    try {
      return await test;
    } finally {
      tests.delete(test);
    }
  }

  return {
    async list() {
      const servers = await readSettled(store, listMcpServers);
      return Promise.all(servers.map(asServer));
    },
    async create(body) {
      const made = found(await withTools(await changes.create(body)), 'mcp_server_not_found');
      return made;
    },
    async update(id, change) {
      const changed = await changes.update(id, change).finally(onQuestionsOver);
      if (!changed) return null;
      if (!REACHING.some((field) => change[field] !== undefined)) return stored(id);
      await lines.end(id, GRACE_MS);
      return withTools(id);
    },
    async remove(id) {
      const removed = await changes.remove(id).finally(onQuestionsOver);
      if (removed === null) return null;
      await lines.end(id, GRACE_MS);
      return toServer({ ...removed, enabled: false }, 'present', { state: 'off', problem: null });
    },
    async test(body) {
      const values = body[secretField(body.transport)] ?? {};
      checkSecrets(body.transport, values);
      const server = { ...unsavedServer(body), secretNames: Object.keys(values) };
      return (await runTest(server, { state: 'present', values })).test;
    },
    async testStored(id, change) {
      const opened = await openRow(SERVER_SECRETS, secrets, () => find(id));
      if (opened === null) return null;
      if (Object.keys(change).length > 0) {
        const { after, values } = await applyChange(secrets, opened.row, change);
        const kept = values === null ? opened.kept : ({ state: 'present', values } as const);
        return (await runTest(after, kept)).test;
      }
      const { test, tools } = await runTest(opened.row, opened.kept);
      if (tools !== null) {
        await lines.save(opened.row, tools);
        lines.of(id)?.forgive();
      }
      return test;
    },
    tools: createMcpTools({ store, lineOf: (id) => lines.of(id), limits: lines.limits }),
    async tidy() {
      await changes.sweepSecrets().catch(onError);
    },
    async close() {
      closing.abort();
      await Promise.all([lines.close(), ...[...tests].map((test) => test.catch(() => undefined))]);
      await changes.settled();
    },
  };
}

/** Fields that decide how, or whether, a server is reached. */
const REACHING = ['command', 'args', 'env', 'url', 'headers', 'enabled'] as const;

const unsavedServer = (body: TestMcpServerBody): StoredMcpServer => ({
  ...readPlace(body),
  id: '',
  name: body.name ?? '',
  slug: 'test',
  secretNames: [],
  enabled: true,
  agents: [DEFAULT_AGENT_TYPE],
  tools: [],
  toolsListedAt: null,
  createdAt: '',
});
