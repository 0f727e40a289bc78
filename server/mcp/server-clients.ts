import type { McpState } from '../../shared/api/mcp.ts';
import { openRow } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import {
  findMcpServer,
  addressKey,
  updateListedTools,
  type ListedTool,
  type McpAddress,
  type StoredMcpServer,
} from '../store/mcp-repository.ts';
import { findDirect, type FindRoute } from '../net/route.ts';
import type { Store } from '../store/types.ts';
import { GRACE_MS, McpFault, STOP_GRACE_MS } from './connection.ts';
import { CALL_TIMEOUT_MS, LONGEST_CALL_MS } from '../tools/tool.ts';
import { createServerClient, type ServerLimits, type ServerClient } from './server-client.ts';
import { SERVER_SECRETS } from './server-secrets.ts';
import type { SignIns } from './sign-in/sign-ins.ts';

/** The usual time limits. */
export const SERVER_LIMITS: ServerLimits = {
  openMs: 10_000,
  startMs: 90_000,
  firstListingMs: 3_000,
  listingMs: 1_000,
  idleMs: 5 * 60_000,
  holdOffMs: 30_000,
  freshMs: 30_000,
  noticeMs: 10_000,
  aliveMs: 5_000,
  callMs: CALL_TIMEOUT_MS,
  longestCallMs: LONGEST_CALL_MS,
};

/** How long a server may take to open. */
export const openLimit = ({ url }: McpAddress, { openMs, startMs }: ServerLimits): number =>
  url === null ? startMs : openMs;

/** The clients of all servers of a store that are switched on; none connects before it is needed. */
export function createServerClients(deps: {
  store: Store;
  secrets: Pick<Secrets, 'read'>;
  clock: () => Date;
  log: (line: string) => void;
  findRoute?: FindRoute;
  authFor: SignIns['authFor'];
  limits?: Partial<ServerLimits>;
}) {
  const { store, secrets, clock, log, findRoute = findDirect } = deps;
  const limits: ServerLimits = { ...SERVER_LIMITS, ...deps.limits };
  const clients = new Map<string, { client: ServerClient; address: string }>();
  const ending = new Set<Promise<void>>();
  let isClosed = false;
  const find = (id: string): StoredMcpServer | null => store.read((reader) => findMcpServer(reader, id));

  /** Stores which tools a server listed. */
  const save = (server: StoredMcpServer, tools: ListedTool[]): Promise<void> =>
    store.write((writer) => updateListedTools(writer, server, tools, clock().toISOString()));

  function create(id: string, address: string): ServerClient {
    let reached: StoredMcpServer | null = null;
    return createServerClient({
      limits,
      async open({ signal, onToolsChanged, onOutput }) {
        const opened = await openRow(SERVER_SECRETS, secrets, () => find(id));
        if (opened === null) throw new McpFault('failed', 'The tool server was removed.');
        const { row: server, kept } = opened;
        if (addressKey(server) !== address)
          throw new McpFault('failed', 'The tool server was changed meanwhile.');
        if (kept.state === 'locked') {
          const message = `What is kept of “${server.name}” can’t be used. ${kept.reason}`;
          throw new McpFault('secrets_locked', message);
        }
        reached = server;
        const { values } = kept;
        const report = (line: string): void => {
          onOutput(line);
          log(`tool server ${server.slug}: ${line}`);
        };
        const { noticeMs } = limits;
        const openMs = openLimit(server, limits);
        // Loaded when it is first needed, with the library that it takes.
        const auth = await deps.authFor(server);
        const { openConnection } = await import('./open-connection.ts');
        return openConnection({
          ...{ server, values, openMs, noticeMs, findRoute, auth, signal, onToolsChanged },
          log: report,
        });
      },
      save: async (tools) => {
        if (reached !== null) await save(reached, tools);
      },
    });
  }

  /** Ends the client of a server; the next request gets a new one. */
  async function end(serverId: string, graceMs: number): Promise<void> {
    const known = clients.get(serverId);
    if (known === undefined) return;
    clients.delete(serverId);
    const gone = known.client.end(graceMs);
    ending.add(gone);
    await gone.finally(() => ending.delete(gone));
  }

  return {
    limits,
    /** The client of a server as it is now, even if that changes later. Null: there is none, it is off, or the service is stopping. */
    of(serverId: string): ServerClient | null {
      const server = find(serverId);
      if (isClosed || server?.enabled !== true) return null;
      const address = addressKey(server);
      const known = clients.get(serverId);
      if (known?.address === address) return known.client;
      if (known !== undefined) void end(serverId, GRACE_MS);
      const client = create(serverId, address);
      clients.set(serverId, { client, address });
      return client;
    },
    stateOf({ id, enabled }: StoredMcpServer): { state: McpState; problem: string | null } {
      const { state = 'idle', problem = null } = clients.get(id)?.client ?? {};
      return enabled ? { state, problem } : { state: 'off', problem: null };
    },
    save,
    end,
    /** Ends all clients for good. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...ending, ...[...clients.keys()].map((id) => end(id, STOP_GRACE_MS))]);
    },
  };
}
