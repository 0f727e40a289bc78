import type { CreateMcpServerBody, McpServer, McpTest, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import type { McpApi } from '../api/mcp-servers.ts';
import { withItem } from '../lib/with-item.ts';

/** The tool servers that a person has added. All methods reject as the API does. */
export class McpServers {
  items = $state.raw<readonly McpServer[]>([]);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #api: McpApi;

  constructor(api: McpApi) {
    this.#api = api;
  }

  async refresh(): Promise<void> {
    this.items = await this.#api.listMcpServers();
    this.loaded = true;
  }

  async create(body: CreateMcpServerBody): Promise<McpServer> {
    const created = await this.#api.createMcpServer(body);
    this.items = withItem(this.items, created);
    return created;
  }

  async update(serverId: string, body: UpdateMcpServerBody): Promise<McpServer> {
    const changed = await this.#api.updateMcpServer(serverId, body);
    this.items = this.items.map((item) => (item.id === changed.id ? changed : item));
    return changed;
  }

  /** Tests a server as it is; what it offers by now stands in the list then. */
  async test(serverId: string): Promise<McpTest> {
    const found = await this.#api.testMcpServer(serverId, {});
    await this.refresh();
    return found;
  }

  async remove(serverId: string): Promise<void> {
    await this.#api.deleteMcpServer(serverId);
    this.items = this.items.filter(({ id }) => id !== serverId);
  }
}
