import { expect, it, onTestFinished } from 'vitest';
import { countChats, listChats } from '../../../server/store/chat-repository.ts';
import type { Reader } from '../../../server/store/types.ts';
import { openTempStore } from '../../support/store.ts';

it('lists and counts the chats of an agent by an index, however many others there are', async () => {
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
    const filter = { workspaceId: 'w', agentType: 'writer', archived: 'without' as const };
    listChats(explaining, filter, 20, 0);
    countChats(explaining, filter);
  });
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).toContain('chats_of_agent (workspace_id=? AND agent_type=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});
