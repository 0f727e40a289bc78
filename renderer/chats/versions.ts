import type { Message } from '../../shared/api/message.ts';

/** Ids of the versions of a user message, oldest first, grouped by where a person switches between them. */
export interface Versions {
  /** At the question: one for each wording, its latest try; for the current wording, the one shown. */
  questions: string[];
  /** At the reply: those with the same question. */
  replies: string[];
}

/** The versions of a user message, itself included; empty lists when it is the only one. */
export function versionsOf({ id: shown, versions = [], retries = [] }: Message): Versions {
  const retried = new Map(retries.map(({ id, retryOf }) => [id, retryOf]));
  const questionOf = (id: string): string => retried.get(id) ?? id;
  const groups = Map.groupBy(versions, questionOf);
  const replies = groups.get(questionOf(shown)) ?? [];
  return {
    questions: [...groups.values()].flatMap((ids) => (ids === replies ? shown : ids.slice(-1))),
    replies,
  };
}
