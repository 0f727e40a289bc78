import { expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

it('any key is told which agents and models there are, the default first', async () => {
  const api = await startTestService();
  const { text: key } = await api.service.keys.create({
    kind: 'person',
    name: 'script',
    scope: 'chat',
    workspaceId: null,
    expiresAt: null,
  });
  const { agents } = (await api.get('/api/v1/agents', { key })).json<{ agents: unknown[] }>();
  expect(agents[0]).toEqual({
    agentType: 'orchestrator',
    name: 'Assistant',
    description: expect.stringMatching(/^[A-Z].+\.$/) as string,
    builtIn: true,
  });
  const { models } = (await api.get('/api/v1/models', { key })).json<{ models: unknown[] }>();
  expect(models[0]).toEqual({
    name: 'offline-assistant',
    offline: true,
    connection: null,
    contextTokens: null,
    parameters: [],
  });
  const chat = await api.createChat();
  expect(chat).toMatchObject({ agentType: 'orchestrator', model: 'offline-assistant' });
  expect((await api.get('/api/v1/agents', { key: null })).status).toBe(401);
});
