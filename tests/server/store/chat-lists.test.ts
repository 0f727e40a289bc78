import { expect, it, onTestFinished } from 'vitest';
import { countChats, listChats, type ChatFilter } from '../../../server/store/chat-repository.ts';
import type { Reader } from '../../../server/store/types.ts';
import { openTempStore } from '../../support/store.ts';

const IN_WORKSPACE = { workspaceId: 'w', archived: 'without' } as const;

/** How SQLite lists and counts the chats of each filter. */
async function plansOf(...filters: ChatFilter[]): Promise<string[]> {
  const temp = await openTempStore();
  onTestFinished(() => temp.remove());
  const plans: string[] = [];
  temp.store.read((reader) => {
    const explaining: Reader = {
      ...reader,
      get: (sql, params) => (explaining.all(sql, params), null),
      all(sql, params) {
        const steps = reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
        plans.push(steps.map(({ detail }) => detail).join('; '));
        return [];
      },
    };
    for (const filter of filters) {
      listChats(explaining, filter, 20, 0);
      countChats(explaining, filter);
    }
  });
  return plans;
}

it('lists and counts the chats of an agent by the index of all chats, in its order', async () => {
  const plans = await plansOf({ ...IN_WORKSPACE, agentType: 'writer' });
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toContain('chats_listed (workspace_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('does so with the chats that are in no project', async () => {
  const plans = await plansOf({ ...IN_WORKSPACE, projectId: null });
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toContain('chats_listed (workspace_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('lists and counts the chats of a project by an index, however many others there are', async () => {
  const plans = await plansOf(
    { ...IN_WORKSPACE, projectId: 'p' },
    { ...IN_WORKSPACE, archived: 'only', projectId: 'p' },
  );
  expect(plans).toHaveLength(4);
  for (const plan of plans) {
    expect(plan).toContain('chats_of_project (workspace_id=? AND project_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('counts the pinned chats of a project among those that are pinned', async () => {
  const [, ...counts] = await plansOf({ ...IN_WORKSPACE, projectId: 'p', pinned: false });
  expect(counts).toHaveLength(2);
  expect(counts[0]).toContain('chats_of_project');
  expect(counts[1]).toContain('chats_pinned (workspace_id=?)');
});
