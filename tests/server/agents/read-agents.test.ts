/** Whom a turn brings along: the chat's agent, and those that it may ask. */
import { expect, it } from 'vitest';
import { readAgents } from '../../../server/agents/read-agents.ts';
import { createAgent } from '../../../server/store/agent-repository.ts';
import { openStore } from '../../../server/store/store.ts';
import { OFFLINE_MODEL_NAME } from '../../../shared/models.ts';
import { createTempDir } from '../../support/service.ts';

const AT = '2026-11-20T12:45:00.000Z';
const COACH = {
  agentType: 'coach',
  name: 'Coach',
  description: '',
  instructions: 'Ask twice.',
  model: null,
  tools: ['calculate'],
  stepLimit: 3,
  createdAt: AT,
  updatedAt: AT,
};

it.each([
  [
    'the default agent, and all others',
    'orchestrator',
    'box/model',
    ['orchestrator', 'writer', 'analyst', 'coach'],
  ],
  [
    'the default agent for one that is not known',
    'gone',
    'box/model',
    ['orchestrator', 'writer', 'analyst', 'coach'],
  ],
  ['an agent that people made, alone', 'coach', 'box/model', ['coach']],
  ['another that is built in, alone', 'writer', 'box/model', ['writer']],
  ['nobody to ask for the offline assistant', 'orchestrator', OFFLINE_MODEL_NAME, ['orchestrator']],
])('is %s', async (_, agentType, model, expected) => {
  const store = await openStore({ dir: await createTempDir() });
  try {
    await store.write((writer) => createAgent(writer, COACH));
    const agents = store.read((reader) => readAgents(reader, { agentType, model }));
    expect(agents.map(({ name }) => name)).toEqual(expected);
    const { instructions, tools } = COACH;
    if (agentType === 'coach') expect(agents[0]).toMatchObject({ title: 'Coach', instructions, tools });
  } finally {
    await store.close();
  }
});

it('is an agent that people made instead of the one that came later under its type', async () => {
  const store = await openStore({ dir: await createTempDir() });
  try {
    await store.write((writer) => createAgent(writer, { ...COACH, agentType: 'writer', name: 'Mine' }));
    const agents = store.read((reader) =>
      readAgents(reader, { agentType: 'orchestrator', model: 'box/model' }),
    );
    expect(agents.map(({ title }) => title)).toEqual(['Assistant', 'Analyst', 'Mine']);
  } finally {
    await store.close();
  }
});
