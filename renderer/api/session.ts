import type { KeyScope } from '../../shared/api/key.ts';
import type { Session, SessionBody } from '../../shared/api/session.ts';
import { browserProofText } from '../../shared/proof.ts';
import { toBase64Url } from './base64url.ts';
import { createBrowserKey, readBrowserKey, writeBrowserKey, type KeptBrowserKey } from './browser-key.ts';
import { createCall, type ApiCall } from './http.ts';
import { proveServer, SIGNING } from './server-proof.ts';

/** The result of signing in. */
export interface SessionGrant {
  /** Works until the service stops. */
  apiKey: string;
  /** The workspace to show. */
  workspaceId: string;
  /** What the session may do. */
  scope: KeyScope;
  /** The key with which the service proves itself; null in the desktop app, which is the service. */
  serverKey: string | null;
}

/** Whether a session may do what needs the scope `admin`. */
export const mayAdminister = (grant: SessionGrant): boolean => grant.scope === 'admin';

/**
 * The one-time token in a page address's fragment (`#token=…`), or null when there is none.
 */
export function tokenIn(fragment: string): string | null {
  const token = new URLSearchParams(fragment.replace(/^#/, '')).get('token');
  return token === null || token === '' ? null : token;
}

/**
 * Exchanges a one-time token for a session, which this browser can renew. Rejects with ApiProblem 401 when the token
 * isn't valid. It is sent without a proof: only the process that printed it can use it.
 */
export async function exchangeToken(token: string): Promise<SessionGrant> {
  const known = await readBrowserKey();
  const { publicKey, privateKey } = known ?? (await createBrowserKey());
  const session = await signIn(token, { publicKey });
  const { browserId, serverKey } = session;
  if (browserId !== null) await writeBrowserKey({ publicKey, privateKey, browserId, serverKey });
  return session;
}

/**
 * The same with a key that a person typed. A service that this browser knows proves itself first; rejects with
 * StrangerProblem when another server answers.
 */
export async function exchangeKey(apiKey: string): Promise<SessionGrant> {
  const known = await readBrowserKey();
  if (known !== null) await proveServer(known.serverKey);
  return exchangeToken(apiKey);
}

/**
 * A new session for a browser that signed in before. Rejects with StrangerProblem when another program has the port, which
 * is sent nothing, and with ApiProblem 401 when the browser was signed out.
 */
export async function comeBack(known: KeptBrowserKey): Promise<SessionGrant> {
  const { browserId, privateKey, serverKey } = known;
  const challenge = await proveServer(serverKey);
  const text = new TextEncoder().encode(browserProofText(challenge, location.origin));
  const signature = toBase64Url(new Uint8Array(await crypto.subtle.sign(SIGNING, privateKey, text)));
  return signIn(`back_${browserId}.${challenge}.${signature}`, {});
}

const callAs = (apiKey: string): ApiCall =>
  createCall((request) => request({ Authorization: `Bearer ${apiKey}` }));

const signIn = (apiKey: string, body: SessionBody): Promise<Session> =>
  callAs(apiKey)('post', '/session', { body });

/** The grant for that workspace; unchanged if there is no such workspace, or it can't be checked. */
export async function inWorkspace(grant: SessionGrant, workspaceId: string): Promise<SessionGrant> {
  if (workspaceId === grant.workspaceId) return grant;
  try {
    const { workspaces } = await callAs(grant.apiKey)('get', '/workspaces');
    return workspaces.some(({ id }) => id === workspaceId) ? { ...grant, workspaceId } : grant;
  } catch {
    // The token is spent: its session must not be lost just because of the choice of workspace.
    return grant;
  }
}
