/**
 * Whatever a chat went through in whatever order, the strictest server of each kind takes the next request: over real
 * HTTP, with stops, failures, edits, retries, other versions, deleted messages and other models.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Provider } from '../../../shared/providers.ts';
import type { ResolveAccess } from '../../../server/connections/access.ts';
import { rounds } from '../../support/effort.ts';
import { startModelServer, type ModelServer } from '../../support/model-servers/model-server.ts';
import { accessTo } from '../../support/model-servers/model-turn.ts';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { STRICT_RULES, THINKING_RULES } from '../../support/model-servers/strict-rules.ts';
import type { ScenarioName } from '../../support/model-servers/scenarios.ts';
import { threadFreeRuntime } from '../../support/model-servers/thread-free-runtime.ts';
import { startProcessing, WORKSPACE, type Processing } from '../../support/processing.ts';

/** Names that the libraries know as models that think, and sign what they think. */
const MODELS: Partial<Record<Provider, string>> = {
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro-preview',
  mistral: 'magistral-medium-latest',
};
const servers = new Map<string, { provider: Provider; modelId: string; server: ModelServer }>();

beforeAll(async () => {
  for (const [provider, wire] of PROVIDER_WIRES) {
    const modelId = MODELS[provider] ?? 'fake-model';
    const refuses = provider === 'openai_compatible' ? THINKING_RULES : STRICT_RULES[wire];
    const server = await startModelServer(wire, { models: [modelId], refuses });
    servers.set(`${provider}/${modelId}`, { provider, modelId, server });
  }
});
afterAll(async () => {
  for (const { server } of servers.values()) await server.close();
});

const resolveAccess: ResolveAccess = (model) => {
  const found = servers.get(model);
  if (found === undefined) return Promise.reject(new Error(model));
  const { provider, modelId, server } = found;
  return Promise.resolve({ kind: 'connected', access: accessTo(server, provider, { modelId }) });
};

/** What the model does with a message. */
const ENDS: readonly ScenarioName[] = [
  'plain',
  'reasoning',
  'thinks-with-tools',
  'parallel-tools',
  'odd-arguments',
  'wrong-arguments',
  'refused',
  'cut',
  'empty',
  'cut-before',
  'tool-then-cut',
  'tool-then-refused',
];
/** Those that only a stop ends. */
const ENDLESS: readonly ScenarioName[] = ['stall', 'silence', 'tool-then-silence'];

type Command =
  | { do: 'send'; says: ScenarioName; model: number; thinks: boolean }
  | { do: 'stop'; says: ScenarioName; model: number }
  | { do: 'edit' | 'retry' | 'show' | 'delete'; which: number };

const model = fc.nat({ max: PROVIDER_WIRES.length - 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      says: fc.constantFrom(...ENDS),
      model,
      thinks: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('stop' as const), says: fc.constantFrom(...ENDLESS), model }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'retry' as const, 'show' as const, 'delete' as const),
      which: fc.nat({ max: 20 }),
    }),
  },
);

const names = (): string[] => [...servers.keys()];

async function send(
  processing: Processing,
  chatId: string,
  says: ScenarioName,
  at: number,
  thinks = true,
): Promise<void> {
  // No connection is stored, which a send would ask for.
  await processing.life.store.write((writer) =>
    writer.run('UPDATE chats SET model = ? WHERE id = ?', [names()[at] ?? '', chatId]),
  );
  await processing.life.chats.send({
    chatId,
    workspaceId: WORKSPACE,
    content: `scenario: ${says}`,
    toolReach: 'all',
    mode: 'agent',
    parameters: thinks ? { reasoning: 'medium' } : {},
  });
}

async function perform(
  processing: Processing,
  chatId: string,
  step: Command,
  versions: string[],
): Promise<void> {
  const { chats } = processing.life;
  const questions = processing.messages(chatId).filter(({ role }) => role === 'user');
  versions.push(...questions.map(({ id }) => id).filter((id) => !versions.includes(id)));
  const target = { chatId, workspaceId: WORKSPACE };
  switch (step.do) {
    case 'send':
      await send(processing, chatId, step.says, step.model, step.thinks);
      break;
    case 'stop': {
      const before = requests();
      await send(processing, chatId, step.says, step.model);
      const isTool = step.says === 'tool-then-silence';
      await processing.until(() => requests() >= before + (isTool ? 2 : 1), 'the request to be made');
      if (step.says === 'stall')
        await processing.until(
          () => processing.life.processor.live.get(chatId)?.growth.content !== '',
          'some text',
        );
      await chats.stop(chatId, WORKSPACE);
      break;
    }
    case 'edit': {
      const question = questions[step.which % Math.max(1, questions.length)];
      if (question !== undefined)
        await chats.edit({ ...target, messageId: question.id, content: 'scenario: thinks-with-tools' });
      break;
    }
    case 'retry':
      if (questions.length > 0) await chats.retry(target);
      break;
    case 'show': {
      const version = versions[step.which % Math.max(1, versions.length)];
      if (version !== undefined)
        await chats.showMessage({ ...target, messageId: version }).catch(() => undefined);
      break;
    }
    case 'delete': {
      const question = questions[step.which % Math.max(1, questions.length)];
      if (question !== undefined) await chats.deleteMessage({ ...target, messageId: question.id });
      break;
    }
  }
  await processing.untilAtRest(chatId);
}

const requests = (): number =>
  [...servers.values()].reduce((sum, { server }) => sum + server.asked().length, 0);
const refusals = (): string[] => [...servers.values()].flatMap(({ server }) => server.refusals);

test('after any order of events, every server takes the next message', { timeout: 300_000 }, async () => {
  const processing = await startProcessing({
    agents: threadFreeRuntime(),
    resolveAccess,
    turnTimeoutMs: () => 20_000,
  });
  let learnt = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 9 }), model, async (commands, last) => {
        const before = refusals().length;
        const chatId = await processing.createChat();
        const versions: string[] = [];
        for (const step of commands) await perform(processing, chatId, step, versions);
        await send(processing, chatId, 'plain', last);
        await processing.untilAtRest(chatId);
        const reply = processing.messages(chatId).at(-1);
        expect([reply?.status, reply?.error]).toEqual(['complete', null]);
        // A model may say once that it wants back thoughts that another model kept to itself.
        const refused = refusals().slice(before);
        if (refused.some((words) => words.includes('must be passed back'))) learnt += 1;
        expect(refused.filter((words) => !words.includes('must be passed back'))).toEqual([]);
        expect(learnt).toBeLessThanOrEqual(1);
        expect(processing.life.errors).toEqual([]);
      }),
      {
        numRuns: rounds(20),
        seed: Number(process.env.ANY_HISTORY_SEED ?? 20_261),
        endOnFailure: true,
      },
    );
  } finally {
    await processing.remove();
  }
});
