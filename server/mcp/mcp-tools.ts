/** Offers the tools of the user's tool servers to turns. */
import { hash } from 'node:crypto';
import { quoted } from '../../shared/visible.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import {
  findMcpServer,
  listMcpServers,
  addressKey,
  placeOfServer,
  type ListedTool,
  type StoredMcpServer,
} from '../store/mcp-repository.ts';
import type { Store } from '../store/types.ts';
import { ToolError, type Tool, type ToolSource } from '../tools/tool.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { ServerLimits, ServerClient } from './server-client.ts';

/** Dependencies of {@link createMcpTools}. */
export interface McpToolDeps {
  store: Pick<Store, 'read'>;
  /** The client of a server that is switched on; null: it is gone or off. */
  clientOf: (serverId: string) => ServerClient | null;
  /** Whether a person has to sign in at it first. */
  needsSignIn: (serverId: string) => boolean;
  limits: Pick<ServerLimits, 'callMs' | 'longestCallMs' | 'firstListingMs' | 'listingMs'>;
}

/** Makes the source of a person's tool servers. */
export function createMcpTools({ store, clientOf, needsSignIn, limits }: McpToolDeps): ToolSource {
  async function list(agentTypes: readonly string[]): Promise<Tool[]> {
    const servers = store
      .read(listMcpServers)
      .filter(({ enabled, agents }) => enabled && isFor(agents, agentTypes));
    await Promise.all(
      servers.map(({ id, toolsListedAt }) => {
        const waitMs = toolsListedAt === null ? limits.firstListingMs : limits.listingMs;
        return withTimeout(waitMs, clientOf(id)?.ready() ?? Promise.resolve());
      }),
    );
    return servers.flatMap(({ id }) => {
      const server = store.read((reader) => findMcpServer(reader, id));
      return server?.enabled === true ? server.tools.map((tool) => asTool(server, tool)) : [];
    });
  }

  function asTool(server: StoredMcpServer, tool: ListedTool): Tool {
    return {
      name: tool.name,
      description: tool.description,
      input: tool.inputSchema,
      agents: server.agents,
      described: describedAs(tool),
      runs: 'service',
      // What a server says about its tools is only a claim: it never lets a call pass without asking.
      asks: 'always',
      changes: true,
      timeoutMs: limits.callMs,
      longestMs: limits.longestCallMs,
      async describe() {
        requireSame(server, tool);
        const isNeeded = needsSignIn(server.id);
        return {
          summary: `${describe(server, tool)}${isNeeded ? ' It asks you to sign in first.' : ''}`,
          basis: basisOf(server, tool),
          place: { id: placeOfServer(server.id), name: server.name },
          ...(isNeeded && { signIn: { serverId: server.id, name: server.name } }),
        };
      },
      async run(input, { signal, basis, onProgress }) {
        requireSame(server, tool);
        if (basis !== undefined && basis !== basisOf(server, tool)) throw wasChanged(server);
        const client = clientOf(server.id);
        if (client === null) throw isGone(server);
        return client.call(tool.tool, input, signal, onProgress);
      },
    };
  }

  /** Throws ToolError unless server and tool are still as the turn and the person who allowed the call saw them. */
  function requireSame(server: StoredMcpServer, tool: ListedTool): void {
    const now = store.read((reader) => findMcpServer(reader, server.id));
    if (now?.enabled !== true) throw isGone(server);
    if (addressKey(now) !== addressKey(server)) throw wasChanged(server);
    const listed = now.tools.find(({ name }) => name === tool.name);
    if (listed !== undefined && describedAs(listed) !== describedAs(tool)) throw isRedescribed(server, tool);
  }

  return { isForOffline: false, list };
}

const isGone = ({ name }: StoredMcpServer): ToolError =>
  new ToolError(`The tool server ${quoted(name)} was removed or switched off.`);
const wasChanged = ({ name }: StoredMcpServer): ToolError =>
  new ToolError(`The tool server ${quoted(name)} was changed since this was asked, so nothing was sent.`);

const isRedescribed = ({ name }: StoredMcpServer, { tool }: ListedTool): ToolError =>
  new ToolError(
    `The tool server ${quoted(name)} describes ${quoted(tool)} differently since this reply began, so nothing was sent. Send a new message to try again.`,
  );

/** Identifies a tool's description, to notice when it changes. */
const describedAs = ({ tool, description, inputSchema, isReadOnly }: ListedTool): string =>
  hash('sha256', canonicalJson([tool, description, inputSchema, isReadOnly]), 'hex');

/** A yes to a call is for this server at this place, and for the tool as described then. */
const basisOf = (server: StoredMcpServer, tool: ListedTool): string =>
  `${server.id} ${addressKey(server)} ${describedAs(tool)}`;

const isFor = (agents: StoredMcpServer['agents'], agentTypes: readonly string[]): boolean =>
  agents === 'all' || agentTypes.some((agentType) => agents.includes(agentType));

function describe({ name, url }: StoredMcpServer, { tool, isReadOnly }: ListedTool): string {
  const where = url === null ? ', a program on this computer,' : ` at ${new URL(url).host}`;
  const claim = isReadOnly ? ' The server says that this changes nothing.' : '';
  return `The tool server ${quoted(name)}${where} would run ${quoted(tool)}.${claim}`;
}
