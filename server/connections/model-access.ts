import type { Provider } from '../../shared/providers.ts';

/** What is needed to reach a connected model. Plain data: it crosses to the agents' thread with the turn. */
export interface ModelAccess {
  provider: Provider;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  /** Null: it needs none. Never logged, stored or told. */
  apiKey: string | null;
  /** What each request carries besides, in place of what is named alike; as secret as the key. Absent: nothing. */
  headers?: Readonly<Record<string, string>>;
  /** The model, as the provider names it. */
  modelId: string;
  /** Tokens that it is to read at most; absent: nobody says. An Ollama is asked to take so many. */
  contextTokens?: number;
  /** Whether it looks at pictures; absent: nobody knows. */
  pictures?: boolean;
}
