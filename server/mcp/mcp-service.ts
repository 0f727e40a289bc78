/** Tool servers (MCP), apart from HTTP: managing them, testing them, and the tools they offer to turns. */
import type {
  CreateMcpServerBody,
  McpServer,
  McpSignIn,
  McpSignInBody,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { SecretRowDeps } from '../connections/secret-rows.ts';
import { AppError, found } from '../errors.ts';
import { openRow, readValues, type ValuesReading } from '../secrets/row-secrets.ts';
import { findMcpServer, listMcpServers, type StoredMcpServer } from '../store/mcp-repository.ts';
import { findDirect, type FindRoute } from '../net/route.ts';
import { readSettled } from '../store/read-settled.ts';
import type { AddressRules } from '../tools/web/public-address.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { createServerClients, openLimit } from './server-clients.ts';
import { createMcpChanges } from './mcp-changes.ts';
import { createMcpTools } from './mcp-tools.ts';
import { applyChange, checkSecrets, newServer, secretField } from './read-server.ts';
import type { ServerLimits } from './server-client.ts';
import { SERVER_SECRETS } from './server-secrets.ts';
import { createSignIns, signedServer, type SignedServer, type SignInEnd } from './sign-in/sign-ins.ts';
import { testMcpServer, toTool, type TestOutcome } from './tester.ts';
import { GRACE_MS, STOP_GRACE_MS } from './connection.ts';

/** Options for tool servers. */
export interface McpOptions {
  /** Missing ones are as in {@link SERVER_LIMITS}. */
  limits?: Partial<ServerLimits>;
  /** Finds the way to an address; direct unless given. */
  findRoute?: FindRoute;
  /** Finds addresses of names that a sign-in leads to; the system's resolver unless given. */
  resolve?: AddressRules['resolve'];
}

/** Dependencies of {@link createMcpService}. */
export interface McpServiceDeps extends McpOptions, SecretRowDeps {
  /** Gets lines for the log: messages for whoever runs the service, and what servers write to stderr. */
  log: (line: string) => void;
  /** Called when a server was removed or is reached in another way, which withdraws open approvals of its tools. */
  onApprovalsWithdrawn: () => void;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}

export type McpService = ReturnType<typeof createMcpService>;

/** Manages a store's tool servers. Results are on disk; writes reject with AppError when disk or key store refuse. Null: no such server. */
export function createMcpService(deps: McpServiceDeps) {
  const { store, secrets, clock, log, onApprovalsWithdrawn, onError } = deps;
  const { findRoute = findDirect } = deps;
  const closing = new AbortController();
  const changes = createMcpChanges(deps);
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));
  const findSigned = (id: string): SignedServer | null => {
    const server = find(id);
    return server && signedServer(server);
  };
  const signIns = createSignIns({ secrets, clock, findRoute, resolve: deps.resolve, find: findSigned });
  const { authFor } = signIns;
  const clients = createServerClients({ ...deps, authFor });
  const tests = new Set<Promise<unknown>>();

  async function asServer(server: StoredMcpServer): Promise<McpServer> {
    const { state } = await readValues(SERVER_SECRETS, secrets, server);
    const { signIn, signInProblem } = await signIns.stateOf(server);
    const connection = clients.stateOf(server);
    return toServer(server, server.secretNames.length === 0 ? 'none' : state, {
      ...connection,
      signIn,
      problem: signInProblem ?? connection.problem,
    });
  }

  async function stored(id: string): Promise<McpServer | null> {
    const server = find(id);
    return server && asServer(server);
  }

  /** The server with its tools if it lists them soon; otherwise they follow later. */
  async function withTools(id: string): Promise<McpServer | null> {
    const client = clients.of(id);
    if (client !== null) await withTimeout(clients.limits.firstListingMs, client.ready());
    return stored(id);
  }

  async function runTest(server: StoredMcpServer, values: ValuesReading): Promise<TestOutcome> {
    const auth = await authFor(server);
    const test = testMcpServer(server, values, {
      openMs: openLimit(server, clients.limits),
      noticeMs: clients.limits.noticeMs,
      findRoute,
      auth,
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
    /** All servers, oldest first. */
    async list(): Promise<McpServer[]> {
      const servers = await readSettled(store, listMcpServers);
      return Promise.all(servers.map(asServer));
    },
    /** Rejects with AppError `invalid_request`, or `conflict` when there are too many. */
    create: async (body: CreateMcpServerBody): Promise<McpServer> =>
      found(await withTools(await changes.create(body)), 'mcp_server_not_found'),
    /** Rejects with AppError `invalid_request`. Another way to reach it closes its connection and withdraws open approvals. */
    async update(id: string, change: UpdateMcpServerBody): Promise<McpServer | null> {
      const before = findSigned(id);
      const changed = await changes.update(id, change).finally(onApprovalsWithdrawn);
      if (!changed) return null;
      // A sign-in is for one address.
      if (before !== null && before.url !== find(id)?.url) await signIns.end(before);
      if (!REACHING.some((field) => change[field] !== undefined)) return stored(id);
      await clients.end(id, GRACE_MS);
      return withTools(id);
    },
    /** Removes a server, its secrets, and the answers about its tools; open approvals of them are withdrawn. */
    async remove(id: string): Promise<McpServer | null> {
      const removed = await changes.remove(id).finally(onApprovalsWithdrawn);
      if (removed === null) return null;
      await clients.end(id, GRACE_MS);
      const signed = signedServer(removed);
      if (signed !== null) await signIns.end(signed);
      return toServer({ ...removed, enabled: false }, 'none', {
        state: 'off',
        problem: null,
        signIn: 'none',
      });
    },
    /** Tests a server that isn't stored. Rejects with AppError `invalid_request`. */
    async test(body: TestMcpServerBody): Promise<McpTest> {
      const values = body[secretField(body.transport)] ?? {};
      checkSecrets(body.transport, values);
      const server = { ...newServer(body), secretNames: Object.keys(values) };
      return (await runTest(server, { state: 'present', values })).test;
    },
    /** Tests a server as it would be after a change; without a change, stores the tools found. */
    async testStored(id: string, change: UpdateMcpServerBody): Promise<McpTest | null> {
      const opened = await openRow(SERVER_SECRETS, secrets, () => find(id));
      if (opened === null) return null;
      if (Object.keys(change).length > 0) {
        const { after, values } = await applyChange(secrets, opened.row, change);
        const kept = values === null ? opened.kept : ({ state: 'present', values } as const);
        return (await runTest(after, kept)).test;
      }
      const { test, tools } = await runTest(opened.row, opened.kept);
      if (tools !== null) {
        await clients.save(opened.row, tools);
        clients.of(id)?.forgetFailure();
      }
      return test;
    },
    /** Prepares a sign-in at a server; see {@link SignIns}. Rejects as that does, and with AppError `conflict` for a server without one. */
    async signIn(id: string, redirectUrl: string, given: McpSignInBody): Promise<McpSignIn | null> {
      if (find(id) === null) return null;
      const server = findSigned(id);
      if (server === null) throw new AppError('conflict', NO_SIGN_IN);
      // What it asks for is only known once it was asked.
      if (!signIns.isNeeded(id)) await clients.of(id)?.ready();
      return signIns.begin(server, redirectUrl, given);
    },
    /** Takes what the browser came back with from a sign-in. */
    async finishSignIn(query: URLSearchParams): Promise<SignInEnd> {
      const end = await signIns.finish(query);
      if (end.server !== null && end.problem === null) {
        void clients.end(end.server.id, GRACE_MS);
        void clients.of(end.server.id)?.ready();
      }
      return end;
    },
    /** Forgets a sign-in. `isRevoked`: the authorization server confirmed that it is over there, too. */
    async signOut(id: string): Promise<{ server: McpServer; isRevoked: boolean } | null> {
      const server = find(id);
      if (server === null) return null;
      const signed = signedServer(server);
      const isRevoked = signed !== null && (await signIns.end(signed));
      await clients.end(id, GRACE_MS);
      return { server: await asServer(server), isRevoked };
    },
    /** The tools of servers that are switched on. */
    tools: createMcpTools({
      store,
      clientOf: (id) => clients.of(id),
      needsSignIn: (id) => signIns.isNeeded(id),
      limits: clients.limits,
    }),
    /** Removes secrets that an earlier process left without a server. Never rejects. */
    async tidy(): Promise<void> {
      await changes.sweepSecrets().catch(onError);
      await signIns.sweep().catch(onError);
    },
    /** Ends all servers' programs and connections, within 2 seconds. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all([clients.close(), ...[...tests].map((test) => test.catch(() => undefined))]);
      await changes.settled();
      await withTimeout(STOP_GRACE_MS, signIns.settled());
    },
  };
}

const NO_SIGN_IN =
  'This tool server has no sign-in: it is a program, or its “Authorization” header is set; remove that first.';

/** Fields that decide how, or whether, a server is reached. */
const REACHING = ['command', 'args', 'env', 'url', 'headers', 'enabled'] as const;

/** A tool server in the API: never with values of its environment or headers. */
const toServer = (
  { tools, ...server }: StoredMcpServer,
  secrets: McpServer['secrets'],
  connection: Pick<McpServer, 'state' | 'problem' | 'signIn'>,
): McpServer => ({ ...server, secrets, tools: tools.map(toTool), ...connection });
