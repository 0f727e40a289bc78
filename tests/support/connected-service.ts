/** A service with a connected fake model server, for programs that use OpenAI's format. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { StartOptions } from '../../server/service.ts';
import { startService } from '../../server/start.ts';
import { startModelServer, type ModelServer } from './model-servers/model-server.ts';
import { createTestClient, type TestClient } from './service.ts';

/** The fake server's name for its model. */
export const CONNECTED = 'box/fake-model';

export interface ConnectedService extends TestClient {
  port: number;
  apiKey: string;
  /** What clients of OpenAI's format need. */
  baseURL: string;
  dataDir: string;
  workspaceId: string;
  model: ModelServer;
  /** The latest request that the model got, unchanged. */
  lastAsked(): Record<string, unknown>;
}

/** Connects a fake server in OpenAI's format to a running service. */
export async function connectModel(client: TestClient, model: ModelServer): Promise<void> {
  const body = { provider: 'openai_compatible', name: 'Box', baseUrl: model.baseUrl };
  const { status, text } = await client.post('/api/v1/connections', body);
  if (status !== 201) throw new Error(text);
}

/** For the tests of a file to share; call it at the top of the file. */
export async function startConnectedService(options: Partial<StartOptions> = {}): Promise<ConnectedService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const model = await startModelServer('openai');
  const service = await startService({ port: 0, log: () => undefined, dataDir, ...options });
  const client = createTestClient(service.port, service.apiKey);
  afterAll(async () => {
    await service.close();
    await model.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  await connectModel(client, model);
  return {
    ...client,
    port: service.port,
    apiKey: service.apiKey,
    baseURL: `${service.url}/v1`,
    dataDir,
    workspaceId: service.workspaceId,
    model,
    lastAsked: () => model.asked().at(-1)?.body as Record<string, unknown>,
  };
}
