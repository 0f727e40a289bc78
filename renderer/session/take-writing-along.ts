import type { Conversation } from '../chats/conversation.svelte.ts';
import type { Drafts } from '../chats/drafts.svelte.ts';
import type { Outbox } from '../chats/outbox.svelte.ts';
import { joinWritings, NOTHING_WRITTEN } from '../chats/writing.ts';

/** Moves what was written for the open chat, which is gone, to the draft of a new chat, before what is already there. */
export function takeWritingAlong({
  conversation,
  outbox,
  drafts,
  newDraftKey,
}: {
  conversation: Conversation;
  outbox: Outbox;
  drafts: Drafts;
  newDraftKey: string;
}): void {
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
