import { requestJson } from './client.ts';

/** What a sign-in gives: a key that lives until the service stops, and the workspace it is bound to. */
export interface SessionGrant {
  apiKey: string;
  workspaceId: string;
}

/**
 * The one-time token in a page address's fragment (`#token=…`), or null when there is none.
 */
export function tokenIn(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/** Exchanges a one-time token for a session. Rejects with ApiProblem 401 when the token has been used. */
export const exchangeToken = (token: string): Promise<SessionGrant> =>
  requestJson<SessionGrant>('POST', '/api/v1/session', token, { body: {} });

/** Takes a key as it is: finds the workspace its chats are in. Rejects with ApiProblem 401 when it isn't valid. */
export async function checkKey(apiKey: string): Promise<SessionGrant> {
  const path = '/api/v1/chats?pageSize=1';
  const { data } = await requestJson<{ data: { workspaceId: string }[] }>('GET', path, apiKey);
  return { apiKey, workspaceId: data[0]?.workspaceId ?? '' };
}
