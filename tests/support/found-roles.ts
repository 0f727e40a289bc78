import { matchExpression, queryTerms } from '../../server/search/normalise.ts';
import { readIndexedTo } from '../../server/store/search-index-repository.ts';
import { matchMessages } from '../../server/store/search-repository.ts';
import type { Store } from '../../server/store/types.ts';

/** Who wrote the messages that the search index has for those words, in alphabetical order. */
export const foundRoles = (store: Store, workspaceId: string, words: string): string[] =>
  store
    .read((reader) =>
      matchMessages(reader, {
        workspaceId,
        match: matchExpression(queryTerms(words)),
        toSeq: readIndexedTo(reader),
        limit: 50,
      }),
    )
    .rows.map(({ role }) => role)
    .sort();
