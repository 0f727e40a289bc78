import type { DesktopBridge } from '../../shared/ipc.ts';
import { readBrowserKey } from '../api/browser-key.ts';
import { ApiProblem, ConnectionProblem, StrangerProblem } from '../api/problem.ts';
import { proveServer } from '../api/server-proof.ts';
import {
  comeBack,
  exchangeKey,
  exchangeToken,
  inWorkspace,
  mayAdminister,
  tokenIn,
  type SessionGrant,
} from '../api/session.ts';
import { describeProblem } from '../api/problem-words.ts';
import { lasting, ofThisTab } from '../lib/storage.ts';
import { words } from '../lib/words/index.ts';

/**
 * `signing_in`: under way. `signed_in`: {@link Session.grant} is believed to work. The others say why not: `no_link` was
 * opened without a token, `link_used` with a spent one, `expired` was signed out, `unreachable` got no answer,
 * `stranger` got an answer from another service.
 */
export type SessionPhase =
  | 'signing_in'
  | 'signed_in'
  | 'no_link'
  | 'link_used'
  | 'expired'
  | 'unreachable'
  | 'stranger';

const STORED_AS = 'session';
/** The workspace a window showed last. */
const WORKSPACE_AS = 'workspace';
const RETRY_MS = 1_500;

/**
 * The page's sign-in. The session outlives only a reload of this tab; for a new one, after a restart of the service or in a
 * new tab, the browser proves who it is. In the desktop app the session comes from the app, with every
 * reload, and nothing of it is kept in the page.
 */
export class Session {
  phase = $state<SessionPhase>('signing_in');
  grant = $state.raw<SessionGrant | null>(null);
  readonly #desktop: Pick<DesktopBridge, 'session'> | null;
  #token: string | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #renewing: Promise<string | null> | null = null;

  /** `desktop` is null in a browser. */
  constructor(desktop: Pick<DesktopBridge, 'session'> | null = null) {
    this.#desktop = desktop;
  }

  /** Signs in: through the desktop app, else with the token in the address, if there is one, else with what this tab kept. */
  async start(fragment: string): Promise<void> {
    this.#token = tokenIn(fragment);
    await this.exchange();
  }

  /** Signs in, and tries again by itself while no service, or only an unknown one, answers. */
  async exchange(): Promise<void> {
    clearTimeout(this.#retry);
    if (this.#desktop !== null) return this.#exchangeWithDesktop(this.#desktop);
    const token = this.#token;
    if (token === null) return this.#comeBack('no_link');
    try {
      this.#accept(await inLastWorkspace(await exchangeToken(token)));
      this.#token = null;
    } catch (problem) {
      if (problem instanceof ConnectionProblem) {
        this.#retryLater();
      } else {
        this.#token = null;
        await this.#comeBack('link_used');
      }
    }
  }

  /**
   * Gets a new session after a restart of the service; resolves with its key, or null when the browser can't get one.
   * Rejects when nobody answers. The page stays as it is.
   */
  renew(): Promise<string | null> {
    // Clients of one page (a workspace that was just left, and the next) ask at the same time.
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #exchangeWithDesktop(desktop: Pick<DesktopBridge, 'session'>): Promise<void> {
    try {
      const { apiKey, workspaceId } = await desktop.session();
      const grant: SessionGrant = { apiKey, workspaceId, scope: 'admin', serverKey: null };
      this.#accept(await inLastWorkspace(grant));
    } catch {
      this.#retryLater();
    }
  }

  /** Continues with what this tab kept, else with a session that the browser can get; `otherwise` if there is neither. */
  async #comeBack(otherwise: SessionPhase): Promise<void> {
    const known = await readBrowserKey();
    const stored = readGrant();
    try {
      if (stored !== null && (known === null || known.serverKey === stored.serverKey)) {
        await proveStored(stored);
        this.grant = stored;
        this.phase = 'signed_in';
      } else if (known !== null) this.#accept(await inLastWorkspace(await comeBack(known)));
      else this.phase = otherwise;
    } catch (problem) {
      if (problem instanceof ConnectionProblem) {
        this.#retryLater(problem instanceof StrangerProblem ? 'stranger' : 'unreachable');
      } else this.phase = otherwise === 'no_link' ? 'expired' : otherwise;
    }
  }

  #retryLater(phase: 'unreachable' | 'stranger' = 'unreachable'): void {
    this.phase = phase;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.exchange(), RETRY_MS);
  }

  async #renew(): Promise<string | null> {
    if (this.#desktop !== null) {
      const session = await this.#desktop.session().catch(() => null);
      if (session === null) throw new ConnectionProblem();
      if (this.grant !== null) this.grant.apiKey = session.apiKey;
      return session.apiKey;
    }
    const known = await readBrowserKey();
    if (known === null) return null;
    try {
      const { apiKey, serverKey } = await comeBack(known);
      // The grant must stay the same object: a new one would redraw the whole page.
      if (this.grant !== null) Object.assign(this.grant, { apiKey, serverKey });
      this.#store();
      return apiKey;
    } catch (problem) {
      if (problem instanceof ApiProblem) return null;
      throw problem;
    }
  }

  /** Signs in with a key a person typed; resolves with what went wrong, in words, or null. */
  async useKey(apiKey: string): Promise<string | null> {
    try {
      this.#accept(await inLastWorkspace(await exchangeKey(apiKey.trim())));
      return null;
    } catch (problem) {
      if (problem instanceof StrangerProblem) return words.session.strangerHint;
      if (!(problem instanceof ApiProblem)) return words.session.unreachable;
      return problem.status === 401 ? words.session.badKey : describeProblem(problem);
    }
  }

  /** Shows another workspace from now on, in this tab and in tabs opened later. */
  openWorkspace(workspaceId: string): void {
    if (this.grant === null) return;
    lasting.write(WORKSPACE_AS, workspaceId);
    this.grant = { ...this.grant, workspaceId };
    this.#store();
  }

  /** Shows the workspace that any window opened last; returns whether that is another one. */
  followWorkspace(): boolean {
    const last = lasting.read(WORKSPACE_AS);
    if (this.grant === null || last === null || last === this.grant.workspaceId) return false;
    this.openWorkspace(last);
    return true;
  }

  /** The service no longer knows the session. The desktop app may have a new one a little later. */
  expire(): void {
    if (this.phase !== 'signed_in') return;
    if (this.#desktop !== null) {
      this.grant = null;
      this.#retryLater();
      return;
    }
    ofThisTab.write(STORED_AS, null);
    this.grant = null;
    this.phase = 'expired';
  }

  #accept(grant: SessionGrant): void {
    this.grant = grant;
    this.phase = 'signed_in';
    this.#store();
  }

  #store(): void {
    if (this.grant === null || this.#desktop !== null) return;
    const { apiKey, workspaceId, scope, serverKey } = this.grant;
    ofThisTab.write(STORED_AS, JSON.stringify({ apiKey, workspaceId, scope, serverKey }));
  }
}

/** If the service is away, the page shows what it has and waits; rejects only if another service answers. */
async function proveStored({ serverKey }: KeptGrant): Promise<void> {
  try {
    await proveServer(serverKey);
  } catch (problem) {
    if (problem instanceof StrangerProblem) throw problem;
  }
}

/** A fresh sign-in shows the workspace this tab showed before, else the one any tab did, if the session may and it still exists. */
function inLastWorkspace(grant: SessionGrant): Promise<SessionGrant> {
  const last = readGrant()?.workspaceId || lasting.read(WORKSPACE_AS);
  return last === null || !mayAdminister(grant) ? Promise.resolve(grant) : inWorkspace(grant, last);
}

/** What a tab keeps over a reload. */
type KeptGrant = SessionGrant & { serverKey: string };

function readGrant(): KeptGrant | null {
  const stored = (ofThisTab.readJson(STORED_AS) ?? {}) as Partial<Record<keyof SessionGrant, unknown>>;
  const { apiKey, workspaceId, scope, serverKey } = stored;
  if (typeof apiKey !== 'string' || typeof workspaceId !== 'string' || typeof serverKey !== 'string')
    return null;
  return { apiKey, workspaceId, serverKey, scope: scope === 'admin' ? 'admin' : 'chat' };
}
