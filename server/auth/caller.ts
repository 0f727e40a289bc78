import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import type { StoredKey } from '../store/key-repository.ts';

/** Who sent a request, as its credential says. */
export interface Caller extends Pick<StoredKey, 'scope' | 'reach' | 'approve' | 'workspaceId'> {
  /** `page_token`: a one-time token, or what a returning browser signed, valid only for exchange into a session. */
  kind: 'key' | 'session' | 'page_token';
  /** The key's name, or `window` for Parley's own page. */
  name: string;
  /** The id of a key that a person made; absent: it is the local key or the window. */
  keyId?: string;
  /** The id of a key with a webhook for the ends of its turns; absent: there is none. */
  notifies?: string;
}

/** The name of callers from Parley's own page. */
export const WINDOW_CALLER = 'window';

/** A request that the guard has let through carries its caller and its id. */
interface GuardedMessage extends IncomingMessage {
  parleyCaller?: Caller;
  parleyRequestId?: string;
}

/** Notes whose request this is; only the guard says so. */
export function setCaller(message: IncomingMessage, caller: Caller): void {
  (message as GuardedMessage).parleyCaller = caller;
}

/** Whose request this is. Throws `unauthorized` when nobody vouched for it, whatever the reason. */
export function callerOf(message: IncomingMessage): Caller {
  const caller = (message as GuardedMessage).parleyCaller;
  if (caller === undefined) throw new AppError('unauthorized');
  return caller;
}

/** Whose request this is, or null when nobody vouched for it: for display, never for access. */
export const knownCallerOf = (message: IncomingMessage): Caller | null =>
  (message as GuardedMessage).parleyCaller ?? null;

/** Notes the id of a request. */
export function setRequestId(message: IncomingMessage, id: string): void {
  (message as GuardedMessage).parleyRequestId = id;
}

/** The id of a request, or null when it has none yet. */
export const requestIdOf = (message: IncomingMessage): string | null =>
  (message as GuardedMessage).parleyRequestId ?? null;

/** Throws `approve_required` unless the caller may approve calls. */
export function requireApprove(message: IncomingMessage): void {
  if (!callerOf(message).approve) throw new AppError('approve_required');
}

/** Throws `reach_required` unless turns of the caller may use tools that reach out. */
export function requireReach(message: IncomingMessage): void {
  if (!callerOf(message).reach) throw new AppError('reach_required');
}

/** Throws `forbidden` unless the caller has the scope `admin`. */
export function requireAdmin(message: IncomingMessage): void {
  if (callerOf(message).scope !== 'admin') throw new AppError('forbidden');
}
