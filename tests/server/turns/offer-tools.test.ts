/** Which tools the agents of a turn get, and which of their calls a person is asked about. */
import { describe, expect, it } from 'vitest';
import { findAgent, type AgentDefinition } from '../../../server/agents/definitions.ts';
import type { TurnAgent, TurnTool } from '../../../server/agents/turn.ts';
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

const namesOf = (agent: TurnAgent | undefined, runs: TurnTool['runs'] = 'service'): string[] =>
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
});

describe('a tool of the workspace', () => {
  const NAMES = ['search_messages', 'find_notes', 'remember_note', 'forget_note'];
  const NEAR = { provider: 'ollama', baseUrl: null, apiKey: 'key', modelId: 'llama' } as const;
  const BUILT_IN = { model: REHEARSAL_MODEL_NAME, access: null };
  const asking = ({ callable }: Offer): string[] => NAMES.filter((name) => callable.get(name)?.asks === true);

  it('goes to the agents that name it, or may use all, before what a person allowed', async () => {
    const { agent, helpers } = await offer({
      agents: [DEFAULT, { ...ADDER, tools: ['find_notes', 'calculate'] }],
    });
    expect(namesOf(agent, 'workspace')).toEqual(NAMES);
    expect(namesOf(helpers[0], 'workspace')).toEqual(['find_notes']);
    expect(agent.offered.map(({ runs }) => runs).lastIndexOf('workspace')).toBeLessThan(
      agent.offered.findIndex(({ runs }) => runs === 'service'),
    );
  });

  it.each([
    ['on this computer', NEAR, ['remember_note', 'forget_note']],
    ['elsewhere', { ...NEAR, baseUrl: 'http://192.168.1.5:11434' }, NAMES],
    ['at its provider', FAR, NAMES],
  ] as const)(
    'asks of a model %s before it changes notes, and before what it looks up leaves',
    async (_, access, expected) => {
      expect(asking(await offer({ access }))).toEqual(expected);
    },
  );

  it('doesn’t ask of a built-in model', async () => {
    expect(asking(await offer(BUILT_IN))).toEqual([]);
  });

  it('that would ask isn’t there when the key of whoever sent the message reaches none', async () => {
    const { agent, callable } = await offer({ reach: 'none' });
    expect(namesOf(agent, 'thread')).toContain('calculate');
    expect(namesOf(agent, 'workspace')).toEqual([]);
    expect(callable.size).toBe(0);
    expect(namesOf((await offer({ ...BUILT_IN, reach: 'none' })).agent, 'workspace')).toEqual(NAMES);
  });
});
