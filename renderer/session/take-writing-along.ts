import { joinWritings, NOTHING_WRITTEN } from '../chats/writing.ts';
import type { Workbench } from './workbench.svelte.ts';

/** Moves what was written for the open chat, which is gone, to the draft of a new chat, before what is already there. */
export function takeWritingAlong({
  conversation,
  outbox,
  drafts,
  newDraftKey,
}: Pick<Workbench, 'conversation' | 'outbox' | 'drafts' | 'newDraftKey'>): void {
  const { draftKey, key } = conversation;
  const refused = outbox.items.filter((item) => item.conversationKey === key);
  const writings = [
    ...refused.map(({ id }) => outbox.withdraw(id)),
    drafts.read(draftKey),
    drafts.read(newDraftKey),
  ];
  drafts.write(newDraftKey, joinWritings(writings));
  drafts.write(draftKey, NOTHING_WRITTEN);
}
