/** Questions that rest on something: a yes is one to what was asked, also when Parley was restarted in between. */
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ApprovalDecision } from '../../../shared/api/approval.ts';
import type { CallResult } from '../../../server/agents/call-tool.ts';
import type { StepApproval } from '../../../shared/api/message.ts';
import type { ToolSource } from '../../../server/tools/tool.ts';
import { openAllowedFolders } from '../../support/allowed-folders.ts';
import { startProcessing, type Processing } from '../../support/processing.ts';

let processing: Processing;
let chatId = '';
let file = '';
/** Happens between a tool's look at what a call would do and the question. */
let whileLooking: () => Promise<void>;

beforeEach(async () => {
  const { source, notes } = await openAllowedFolders();
  file = join(notes, 'a.md');
  whileLooking = () => Promise.resolve();
  processing = await startProcessing({ sources: [lookedAt(source)] });
  chatId = await processing.createChat();
  await processing.send(chatId, 'Go on.');
});
afterEach(() => processing.remove());

const lookedAt = (source: ToolSource): ToolSource => ({
  isForOffline: true,
  list: async (agentTypes) =>
    (await source.list(agentTypes)).map((tool) => ({
      ...tool,
      async describe(input) {
        const about = (await tool.describe?.(input)) ?? null;
        await whileLooking();
        return about;
      },
    })),
});

/** Has the turn write the file. Resolves when a person is asked, or it is done; rejects when it was refused before that. */
async function write(): Promise<{ approval: StepApproval | null; result: Promise<CallResult> }> {
  const { ports } = await processing.life.runtime.turnOf(chatId);
  const asked = Promise.withResolvers<StepApproval>();
  const input = { path: 'Notes/a.md', text: 'from the model' };
  const result = ports.callTool('write_file', input, (approval) => {
    if (approval !== null) asked.resolve(approval);
  });
  const approval = await Promise.race([asked.promise, result.then(() => null)]);
  result.catch(() => undefined);
  return { approval, result };
}

/** What a person is asked about it; fails the test if nothing is. */
async function ask(): Promise<StepApproval> {
  const { approval } = await write();
  if (approval === null) throw new Error('Nobody was asked.');
  return approval;
}

const decide = (approvalId: string, decision: ApprovalDecision = 'approve') =>
  processing.life.approvals.decide({ chatId, workspaceId: null, approvalId, decision, remember: false });
const text = (): Promise<string> => readFile(file, 'utf8');

test('a yes after a restart has nothing done to a file that nobody was asked about', async () => {
  const asked = await ask();
  expect(asked.summary).toContain('Makes a new file');
  await processing.crash();
  await writeFile(file, 'written meanwhile');
  await decide(asked.id);
  await expect(write()).rejects.toThrow('has changed since you were asked');
  expect(await text()).toBe('written meanwhile');
});

test('a yes before a restart has it done after it, where nothing changed', async () => {
  await writeFile(file, 'before');
  const asked = await ask();
  await processing.crash();
  await decide(asked.id);
  await processing.crash();
  expect((await write()).approval).toBeNull();
  expect(await text()).toBe('from the model');
});

test('a question that is repeated after a restart is the same one, where nothing changed', async () => {
  await writeFile(file, 'before');
  const asked = await ask();
  await processing.crash();
  const { approval, result } = await write();
  expect(approval).toEqual(asked);
  await decide(asked.id);
  await result;
  expect(await text()).toBe('from the model');
});

test('a question that would mean something else by now is asked anew, and the old one can not be answered', async () => {
  const asked = await ask();
  await processing.crash();
  await writeFile(file, 'written meanwhile');
  const again = await ask();
  expect(again.id).not.toBe(asked.id);
  expect(again.summary).toContain('Replaces all of a file that has 17 bytes');
  await expect(decide(asked.id)).rejects.toMatchObject({ code: 'approval_not_found' });
  await processing.crash();
  const { approval, result } = await write();
  expect(approval).toEqual(again);
  await decide(again.id);
  await result;
  expect(await text()).toBe('from the model');
});

test.each<[ApprovalDecision, string]>([
  ['approve', 'has changed since you were asked'],
  ['deny', 'The answer was no'],
])(
  'an answer (%s) while what is asked is looked at again is one to the old question',
  async (decision, reported) => {
    const asked = await ask();
    await processing.crash();
    await writeFile(file, 'written meanwhile');
    whileLooking = async () => {
      await decide(asked.id, decision);
    };
    await expect(write()).rejects.toThrow(reported);
    expect(await text()).toBe('written meanwhile');
  },
);

test('what a lost thread was about to ask is not asked beside what is asked in its place', async () => {
  const turn = await processing.life.runtime.turnOf(chatId);
  const looking = Promise.withResolvers<null>();
  const looked = Promise.withResolvers<undefined>();
  whileLooking = () => {
    looking.resolve(null);
    return looked.promise;
  };
  const lost = expect(write()).rejects.toThrow('broke down');
  await looking.promise;
  turn.loseThread();
  await processing.until(() => processing.life.runtime.turns.length === 2, 'the turn to begin anew');
  whileLooking = () => Promise.resolve();
  const asked = await ask();
  looked.resolve(undefined);
  await lost;
  const rows = processing.life.store.read((reader) => reader.all('SELECT id FROM tool_calls'));
  expect(rows).toEqual([{ id: asked.id }]);
});

test('a yes to what could not be done is none to what can be by then', async () => {
  await mkdir(file);
  const asked = await ask();
  expect(asked.summary).toContain('This can’t be done');
  await processing.crash();
  await decide(asked.id);
  await rmdir(file);
  await writeFile(file, 'written meanwhile');
  await expect(write()).rejects.toThrow('has changed since you were asked');
  expect(await text()).toBe('written meanwhile');
});
