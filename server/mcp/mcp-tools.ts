/** The tools of a person's tool servers, as turns get them. */
import type { OutsideListContext, OutsideTool, OutsideToolSource } from '../outside/outside-tool.ts';
import {
  findMcpServer,
  listMcpServers,
  placeKey,
  type ListedTool,
  type StoredMcpServer,
} from '../store/mcp-repository.ts';
import type { Store } from '../store/types.ts';
import { ToolError } from '../tools/tool.ts';
import { within } from '../within.ts';
import type { ServerLine } from './server-line.ts';

/** What {@link createMcpTools} works with. */
export interface McpToolDeps {
  store: Pick<Store, 'read'>;
  /** The line to a server that is switched on; null: there is none by now. */
  lineOf: (serverId: string) => ServerLine | null;
  /** Told of faults of ours. */
  onError: (error: unknown) => void;
}

/** How long a turn waits for servers whose tools aren't known at all, in milliseconds. */
const FIRST_LISTING_WAIT_MS = 3_000;
/** How long it waits for those whose tools were listed before: what is known is as good as ever most of the time. */
const LISTING_WAIT_MS = 1_000;

/** Makes the source of a person's tool servers. */
export function createMcpTools({ store, lineOf, onError }: McpToolDeps): OutsideToolSource {
  async function list({ agentTypes }: OutsideListContext): Promise<OutsideTool[]> {
    const servers = store
      .read(listMcpServers)
      .filter(({ enabled, agents }) => enabled && isFor(agents, agentTypes));
    await Promise.all(
      servers.map(({ id, toolsListedAt }) => {
        const waitMs = toolsListedAt === null ? FIRST_LISTING_WAIT_MS : LISTING_WAIT_MS;
        return within(waitMs, lineOf(id)?.ready() ?? Promise.resolve());
      }),
    );
    return servers.flatMap(({ id }) => {
      const server = store.read((reader) => findMcpServer(reader, id));
      return server?.enabled === true ? server.tools.map((tool) => asOutsideTool(server, tool)) : [];
    });
  }

  function asOutsideTool(server: StoredMcpServer, tool: ListedTool): OutsideTool {
    return {
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      agents: server.agents,
      // What a server says of its tools is its own claim: nothing that it says makes a call pass without a question.
      asks: true,
      changes: true,
      async describe() {
        requireSame(server);
        return { summary: describe(server, tool), basis: basisOf(server) };
      },
      async run(input, { signal, basis }) {
        requireSame(server);
        if (basis !== undefined && basis !== basisOf(server)) throw wasChanged(server);
        const line = lineOf(server.id);
        if (line === null) throw isGone(server);
        return line.call(tool.tool, input, signal);
      },
    };
  }

  /** Throws ToolError unless the server is still the one that the turn's tools, and any yes to them, are about. */
  function requireSame(server: StoredMcpServer): void {
    const now = store.read((reader) => findMcpServer(reader, server.id));
    if (now?.enabled !== true) throw isGone(server);
    if (placeKey(now) !== placeKey(server)) throw wasChanged(server);
  }

  return {
    isForOffline: false,
    async list(context) {
      try {
        return await list(context);
      } catch (error) {
        onError(error);
        return [];
      }
    },
  };
}

const isGone = ({ name }: StoredMcpServer): ToolError =>
  new ToolError(`The tool server “${name}” was removed or switched off.`);
const wasChanged = ({ name }: StoredMcpServer): ToolError =>
  new ToolError(`The tool server “${name}” was changed since this was asked, so nothing was sent.`);

/** A yes to a call is one to this server at this place. */
const basisOf = (server: StoredMcpServer): string => `${server.id} ${placeKey(server)}`;

const isFor = (agents: StoredMcpServer['agents'], agentTypes: readonly string[]): boolean =>
  agents === 'all' || agentTypes.some((agentType) => agents.includes(agentType));

function describe({ name, url }: StoredMcpServer, { tool, isReadOnly }: ListedTool): string {
  const where = url === null ? ', a program on this computer' : ` at ${new URL(url).host}`;
  const claim = isReadOnly ? ' The server says that this changes nothing.' : '';
  return `Runs “${tool}” on the tool server “${name}”${where}.${claim}`;
}
