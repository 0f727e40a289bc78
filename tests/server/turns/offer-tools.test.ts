/** Which tools the agents of a turn get, and which of their calls a person is asked about. */
import { describe, expect, it } from 'vitest';
import { findAgent, type AgentDefinition } from '../../../server/agents/definitions.ts';
import type { TurnAgent } from '../../../server/agents/turn.ts';
import type { Tool, ToolSource } from '../../../server/tools/tool.ts';
import { offerTools, type Offer, type OfferRequest } from '../../../server/turns/offer-tools.ts';
import { OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME } from '../../../shared/models.ts';
import { hostedTool } from '../../support/call-tools.ts';

const DEFAULT = findAgent('orchestrator');
const ADDER: AgentDefinition = { ...DEFAULT, name: 'adder', title: 'Adder', tools: ['calculate', 'fetch'] };
const FAR = { provider: 'openai', baseUrl: null, apiKey: 'key', modelId: 'm' } as const;

const sourceOf = (tools: readonly Tool[], isForOffline = false): ToolSource => ({
  isForOffline,
  list: () => Promise.resolve([...tools]),
});

const TOOLS: readonly Tool[] = [
  { ...hostedTool('write', {}), asks: 'always', changes: true, agents: ['adder'] },
  { ...hostedTool('read', {}), agents: ['orchestrator'] },
  { ...hostedTool('all', {}), agents: 'all' },
  hostedTool('fetch', {}),
  hostedTool('list', {}),
];

async function offer(
  changes: Partial<OfferRequest> = {},
  sources: readonly ToolSource[] = [sourceOf(TOOLS)],
): Promise<Offer & { faults: string[] }> {
  const faults: string[] = [];
  const offered = await offerTools(
    sources,
    { agents: [DEFAULT, ADDER], model: 'box/m', access: FAR, reach: 'all', isChat: false, ...changes },
    (error) => faults.push(String(error)),
  );
  return { ...offered, faults };
}

const namesOf = (agent: TurnAgent | undefined, runs: 'thread' | 'service' = 'service'): string[] =>
  (agent?.offered ?? []).filter((tool) => tool.runs === runs).map(({ name }) => name);

describe('a tool of the service', () => {
  it('goes to the agents that it is for, else to those that name it, or may use all', async () => {
    const { agent, helpers, callable } = await offer();
    expect(namesOf(agent)).toEqual(['read', 'all', 'fetch', 'list']);
    expect(namesOf(helpers[0])).toEqual(['write', 'all', 'fetch']);
    expect(callable.get('write')).toMatchObject({ asks: true });
    expect(callable.get('read')).toMatchObject({ asks: false });
  });

  it('is told of with its description and the schema of its input, and nothing else', async () => {
    const { agent } = await offer();
    expect(agent.offered.find(({ name }) => name === 'read')).toEqual({
      runs: 'service',
      name: 'read',
      description: 'Does something.',
      input: { type: 'object', properties: {} },
    });
  });

  it('can not be called when no agent of the turn may use it', async () => {
    const { callable } = await offer({ agents: [DEFAULT] });
    expect(callable.has('write')).toBe(false);
  });

  it('is the first source’s where two have one of that name', async () => {
    const other = { ...hostedTool('list', {}), description: 'Another.' };
    const { agent } = await offer({}, [sourceOf(TOOLS), sourceOf([other])]);
    expect(namesOf(agent).filter((name) => name === 'list')).toHaveLength(1);
    expect(JSON.stringify(agent.offered)).not.toContain('Another.');
  });

  it.each([
    ['the message switches tools off', { isChat: true }],
    ['the key of whoever sent it reaches none', { reach: 'none' }],
    ['the offline assistant has no use for it', { model: OFFLINE_MODEL_NAME, access: null }],
  ] as const)('isn’t even looked for when %s', async (_, changes) => {
    const source: ToolSource = { isForOffline: false, list: () => Promise.reject(new Error('asked')) };
    const { agent, faults } = await offer(changes, [source]);
    expect(namesOf(agent)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is left out when its source fails, which is told; the others stay', async () => {
    const broken: ToolSource = { isForOffline: false, list: () => Promise.reject(new Error('broken')) };
    const { agent, faults } = await offer({}, [broken, sourceOf(TOOLS)]);
    expect(namesOf(agent)).toContain('read');
    expect(faults).toEqual(['Error: broken']);
  });

  it('asks for approval in a rehearsal alone', async () => {
    const { agent } = await offer({ model: REHEARSAL_MODEL_NAME, access: null });
    expect(namesOf(agent)).toContain('ask_approval');
    expect(namesOf((await offer()).agent)).not.toContain('ask_approval');
  });
});

describe('a tool of the agents’ thread', () => {
  it('goes to the agents that name it; of those that may use all, to a built-in model’s', async () => {
    const connected = await offer();
    expect(namesOf(connected.helpers[0], 'thread')).toEqual(['calculate']);
    expect(namesOf(connected.agent, 'thread')).not.toContain('sort_list');
    const builtIn = await offer({ model: REHEARSAL_MODEL_NAME, access: null });
    expect(namesOf(builtIn.agent, 'thread')).toContain('sort_list');
  });

  it('that would ask isn’t there when the key of whoever sent the message reaches none', async () => {
    const { agent, callable } = await offer({ reach: 'none' });
    expect(namesOf(agent, 'thread')).toContain('calculate');
    expect(namesOf(agent, 'thread')).not.toContain('remember_note');
    expect(callable.size).toBe(0);
  });

  it('can be called through the service only when it asks', async () => {
    const { callable } = await offer();
    expect(callable.get('remember_note')).toMatchObject({
      asks: true,
      tool: { runs: 'thread', changes: true },
    });
    expect(callable.get('find_notes')).toMatchObject({ asks: true, tool: { changes: false } });
    expect(callable.has('calculate')).toBe(false);
  });
});
