import type { Route } from '../net/route.ts';
import type { Provider } from '../../shared/providers.ts';

/** How to reach a connected model. Plain data: it goes to the agents' thread with the turn. */
export interface ModelAccess {
  provider: Provider;
  /** Null: the provider's own address. */
  baseUrl: string | null;
  /** Null: none needed. Never logged, stored or shown. */
  apiKey: string | null;
  /** Additional headers of each request, replacing those of the same name; as secret as the key. Absent: none. */
  headers?: Readonly<Record<string, string>>;
  /** The model, as the provider names it. */
  modelId: string;
  /** Context size in tokens; absent: unknown. Ollama is asked to use this many. */
  contextTokens?: number;
  /** Whether it sees pictures; absent: unknown. */
  pictures?: boolean;
  /** How long its first word may take; absent: as long as usual. */
  firstWordSeconds?: number;
  /** The way to its server; absent: direct. */
  route?: Route;
  /** What its server is known to refuse in requests; see models/refused-fields.ts. A turn adds to it. */
  refused?: string[];
}
