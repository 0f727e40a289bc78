/** Reading a request's target as the router will, before the router does. */
import type { FastifyRequest } from 'fastify';

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** All that lies at and below these needs a key. */
const KEYED = ['/api/v1', '/mcp'];
const SESSION = '/api/v1/session';
const OPENAI = '/v1';

/**
 * Where a request goes: `api` needs a key, and so does `openai`, whose errors are in OpenAI's format; `session` takes a page
 * token as well, `open` needs neither.
 */
export type Area = 'api' | 'session' | 'openai' | 'open';

/** The authority of a target in absolute form (`http://host:port/…`), or null. */
export const authorityOf = (url: string): string | null =>
  url.startsWith('/') ? null : (ABSOLUTE.exec(url)?.[1] ?? null);

/**
 * The area of a request target. The router decodes what is percent-encoded before it compares, so this does too; a
 * broken encoding leaves the rest as it is, and what is ambiguous counts as `api`.
 */
export function areaOf(url: string): Area {
  const path = pathOf(url);
  if (path === SESSION) return 'session';
  if (KEYED.some((root) => isIn(path, root))) return 'api';
  return isIn(path, OPENAI) ? 'openai' : 'open';
}

const isIn = (path: string, area: string): boolean => path === area || path.startsWith(`${area}/`);

/** The path of a request target, with what is percent-encoded decoded. */
export function pathOf(url: string): string {
  const target = url.startsWith('/') ? url : url.replace(ABSOLUTE, '');
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  if (!path.includes('%')) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(parseInt(escape.slice(1), 16)));
}

/** Where a request came in, as the client wrote it, such as `http://127.0.0.1:4141`; the guard lets only our own pass. */
export const ownAddressOf = ({ headers }: FastifyRequest): string =>
  `http://${(headers.host ?? '').toLowerCase()}`;
