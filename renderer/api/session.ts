import type { WorkspaceList } from '../../shared/api/workspace.ts';
import { requestJson } from './http.ts';
import { ApiProblem } from './problem.ts';

/** What a sign-in gives. */
export interface SessionGrant {
  /** Works until the service stops. */
  apiKey: string;
  /** The workspace to show; empty: the key is bound to one. */
  workspaceId: string;
  /** Buys the next session after a restart; null: there is none, as with a key that a person typed. */
  returnToken: string | null;
  /** The desktop app gave it, and gives another when one is needed. */
  isDesktop?: true;
}

/** Whether a session may do what needs the scope `admin`. Only who may has one; a key of scope `chat` is used as it is. */
export const mayAdminister = (grant: SessionGrant): boolean =>
  grant.returnToken !== null || grant.isDesktop === true;

/**
 * The one-time token in a page address's fragment (`#token=…`), or null when there is none.
 */
export function tokenIn(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/**
 * Exchanges a one-time token, a return token or a key of scope `admin` for a session. Rejects with ApiProblem 401 when it
 * is worthless, and 403 for a key that may not.
 */
export const exchangeToken = (token: string): Promise<SessionGrant> =>
  requestJson<SessionGrant>('POST', '/api/v1/session', token, { body: {} });

/** Takes a key as it is, where it can't be exchanged. Rejects with ApiProblem 401 when it isn't valid. */
export async function checkKey(apiKey: string): Promise<SessionGrant> {
  try {
    return await exchangeToken(apiKey);
  } catch (problem) {
    if (!(problem instanceof ApiProblem && problem.status === 403)) throw problem;
    const workspaces = await requestJson<WorkspaceList>('GET', '/api/v1/workspaces', apiKey);
    return { apiKey, workspaceId: workspaces.workspaces[0]?.id ?? '', returnToken: null };
  }
}

/** The grant for that workspace; as it is where there is no such workspace, or nobody can tell. */
export async function inWorkspace(grant: SessionGrant, workspaceId: string): Promise<SessionGrant> {
  if (workspaceId === grant.workspaceId) return grant;
  try {
    const { workspaces } = await requestJson<WorkspaceList>('GET', '/api/v1/workspaces', grant.apiKey);
    return workspaces.some(({ id }) => id === workspaceId) ? { ...grant, workspaceId } : grant;
  } catch {
    // The token is spent: the session it bought must not be lost over which workspace comes first.
    return grant;
  }
}
