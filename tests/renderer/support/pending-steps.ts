import type { PendingStep } from '../../../renderer/chats/approval-words.ts';

/** What a tool asks, with these fields changed. */
export const aPendingStep = (changes: Partial<PendingStep> = {}): PendingStep => ({
  id: 'step',
  tool: 'write_file',
  status: 'awaiting_approval',
  input: { path: 'plan.md', content: 'one\ntwo' },
  approval: { id: 'approval', expiresAt: '2026-11-20T13:00:00.000Z', canRemember: true },
  ...changes,
});
