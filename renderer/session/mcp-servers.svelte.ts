import type { CreateMcpServerBody, McpServer, McpTest, UpdateMcpServerBody } from '../../shared/api/mcp.ts';
import { Listed } from '../api/listed.svelte.ts';
import type { ApiClient } from '../api/client.ts';

/** The tool servers that a person has added. All methods reject as the API does. */
export class McpServers extends Listed<McpServer> {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    super(() => api.listMcpServers());
    this.#api = api;
  }

  async create(body: CreateMcpServerBody): Promise<McpServer> {
    return this.put(await this.#api.createMcpServer(body));
  }

  async update(serverId: string, body: UpdateMcpServerBody): Promise<McpServer> {
    return this.put(await this.#api.updateMcpServer(serverId, body));
  }

  /** Tests a server as it is; the list then shows what it offers now. */
  async test(serverId: string): Promise<McpTest> {
    const found = await this.#api.testMcpServer(serverId, {});
    await this.refresh();
    return found;
  }

  async remove(serverId: string): Promise<void> {
    await this.#api.deleteMcpServer(serverId);
    this.drop(serverId);
  }
}
