import type { SignedInBrowser } from '../../../shared/api/session.ts';
import type { AdminApi } from '../../api/admin.ts';
import { ApiProblem } from '../../api/problem.ts';

type SessionApi = Pick<AdminApi, 'listSessions' | 'endSession' | 'endOtherSessions'>;

/** The browsers that are signed in. All methods reject as the API does. */
export class SignedIn {
  items = $state.raw<readonly SignedInBrowser[]>([]);
  loaded = $state(false);
  readonly #api: SessionApi;

  constructor(api: SessionApi) {
    this.#api = api;
  }

  async refresh(): Promise<void> {
    this.items = await this.#api.listSessions();
    this.loaded = true;
  }

  /** Signs one out; it is as well if it was already. */
  async end(id: string): Promise<void> {
    try {
      await this.#api.endSession(id);
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.code === 'session_not_found')) throw problem;
    }
    this.items = this.items.filter((item) => item.id !== id);
  }

  /** Signs all out but this one. */
  async endOthers(): Promise<void> {
    this.items = await this.#api.endOtherSessions();
  }
}
