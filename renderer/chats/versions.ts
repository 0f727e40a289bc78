import type { Message } from '../../shared/api/message.ts';

/** Ids of versions of a user message, oldest first, as they are chosen where they differ. */
export interface Versions {
  /** At the question: one of each wording, the last that was tried, and of the one that is shown itself. */
  questions: string[];
  /** At the reply: those with the same question. */
  replies: string[];
}

/** What can be chosen in place of a user message, itself included; nothing when it is the only version. */
export function versionsOf({ id: shown, versions = [], retries = [] }: Message): Versions {
  const asked = new Map(retries.map(({ id, retryOf }) => [id, retryOf]));
  const questionOf = (id: string): string => asked.get(id) ?? id;
  const groups = new Map<string, string[]>();
  for (const id of versions) {
    const question = questionOf(id);
    groups.set(question, [...(groups.get(question) ?? []), id]);
  }
  const replies = groups.get(questionOf(shown)) ?? [];
  return {
    questions: [...groups.values()].flatMap((ids) => (ids === replies ? shown : ids.slice(-1))),
    replies,
  };
}
