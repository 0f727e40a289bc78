import { contextTokensOf } from '../connections/known-models.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { splitModelName } from '../lib/slug.ts';
import { findConnectionPlace } from '../store/connection-repository.ts';
import type { Reader } from '../store/types.ts';

/** How many tokens a model is reckoned to read: what its server lists, else what its provider makes likely. */
export function readingLimit(reader: Reader, model: string): number {
  const listed = contextTokensOf(reader, model);
  if (listed !== null) return listed;
  const parts = splitModelName(model);
  const provider = parts && findConnectionPlace(reader, parts.slug)?.provider;
  return RECORDS[provider ?? 'openai_compatible'].assumedContextTokens;
}
