import { createContext } from 'svelte';
import type { SearchResults } from '../../shared/api/search.ts';
import { DEFAULT_SEARCH_LIMIT, MAX_QUERY_CHARACTERS } from '../../shared/limits.ts';
import type { ApiClient } from '../api/client.ts';
import { ConnectionProblem } from '../api/problem.ts';
import { describeProblem } from '../api/problem-words.ts';
import { words } from '../lib/words/index.ts';
import type { ServiceConnection } from '../api/connection.svelte.ts';

/** How long typing must pause before the request, in milliseconds. */
const PAUSE_MS = 120;

/** The search in the sidebar: the query, and the service's results for it. */
export class Search {
  /** As typed. */
  query = $state('');
  /** Of the latest query that was answered; null: none was, or there is no query. */
  results = $state.raw<SearchResults | null>(null);
  /** The query that {@link results} answers. */
  answered = $state('');
  /** Why the latest query failed, in words. */
  problem = $state<string | null>(null);
  /** A request is under way. */
  busy = $state(false);
  readonly #api: Pick<ApiClient, 'search'>;
  readonly #connection: ServiceConnection;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = 0;

  constructor(api: Pick<ApiClient, 'search'>, connection: ServiceConnection) {
    this.#api = api;
    this.#connection = connection;
  }

  /** There is a query. */
  get active(): boolean {
    return this.query.trim() !== '';
  }

  /** Searches for these words once typing pauses; empty ends the search. */
  setQuery(query: string): void {
    this.query = query.slice(0, MAX_QUERY_CHARACTERS);
    clearTimeout(this.#timer);
    if (!this.active) {
      this.#latest += 1;
      this.results = null;
      this.answered = '';
      this.problem = null;
      this.busy = false;
      return;
    }
    this.busy = true;
    this.#timer = setTimeout(() => void this.run(), PAUSE_MS);
  }

  clear(): void {
    this.setQuery('');
  }

  /** Runs the search; again after a failure, or for more messages. */
  async run(limit = DEFAULT_SEARCH_LIMIT): Promise<void> {
    const query = this.query.trim();
    const request = (this.#latest += 1);
    const isStale = (): boolean => request !== this.#latest;
    this.busy = true;
    try {
      const results = await this.#api.search(query, limit);
      if (isStale()) return;
      this.results = results;
      this.answered = query;
      this.problem = null;
    } catch (problem) {
      if (isStale()) return;
      const lost = problem instanceof ConnectionProblem;
      this.problem = lost ? words.search.unreachable : describeProblem(problem);
      if (lost) void this.#connection.whenOnline().then(() => (isStale() ? undefined : this.run()));
    } finally {
      if (!isStale()) this.busy = false;
    }
  }
}

export const [useSearch, provideSearch] = createContext<Search>();
