import { createHash } from 'node:crypto';
import { idFrom } from './mend-fields.ts';
import type { SettledChat } from './settle-chat.ts';

/**
 * How a chat may come in: under its own ids; as the copy whose ids follow from what the file says, so that the same file brings in one
 * copy, however often it is imported; under new ids.
 */
export const CANDIDATES = ['own', 'derived', 'new'] as const;
export type Candidate = (typeof CANDIDATES)[number];

/** The chat as that candidate. */
export function asCandidate(settled: SettledChat, candidate: Candidate, newId: () => string): SettledChat {
  if (candidate === 'own') return settled;
  return copyOf(settled, candidate === 'new' ? () => newId() : derivedIds(settled));
}

/** The same chat with other ids; `idFor` is asked once for each. */
function copyOf({ chat, messages, fileIds }: SettledChat, idFor: (id: string) => string): SettledChat {
  const ids = new Map(messages.map(({ id }) => [id, idFor(id)]));
  const renamed = (id: string): string => ids.get(id) ?? id;
  const renamedOrNull = (id: string | null): string | null => id && renamed(id);
  return {
    chat: { ...chat, id: idFor(chat.id) },
    messages: messages.map((message) => ({
      ...message,
      id: renamed(message.id),
      replyTo: renamedOrNull(message.replyTo ?? null),
      versionOf: renamedOrNull(message.versionOf),
      retryOf: renamedOrNull(message.retryOf),
      hiddenBy: renamedOrNull(message.hiddenBy),
    })),
    fileIds: fileIds.map(renamed),
  };
}

/** Ids that depend on the workspace, the chat and its messages alone. */
function derivedIds({ chat, fileIds }: SettledChat): (id: string) => string {
  const seed = createHash('sha256')
    .update([chat.workspaceId, chat.id, ...fileIds].join('\n'))
    .digest('hex');
  return (id) => idFrom(seed, id);
}
