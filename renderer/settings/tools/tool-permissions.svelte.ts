import type { ToolPermissionInfo } from '../../../shared/api/approval.ts';
import type { ApprovalApi } from '../../api/approvals.ts';
import { ApiProblem } from '../../api/problem.ts';

/** The tools that are always allowed. Both methods reject as the API does. */
export class ToolPermissions {
  items = $state.raw<readonly ToolPermissionInfo[]>([]);
  loaded = $state(false);
  readonly #api: Pick<ApprovalApi, 'listToolPermissions' | 'forgetToolPermission'>;

  constructor(api: Pick<ApprovalApi, 'listToolPermissions' | 'forgetToolPermission'>) {
    this.#api = api;
  }

  async refresh(): Promise<void> {
    this.items = await this.#api.listToolPermissions();
    this.loaded = true;
  }

  /** Has a tool ask again; it is as well if it did already. */
  async forget(id: string): Promise<void> {
    try {
      await this.#api.forgetToolPermission(id);
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.code === 'permission_not_found')) throw problem;
    }
    this.items = this.items.filter((item) => item.id !== id);
  }
}
