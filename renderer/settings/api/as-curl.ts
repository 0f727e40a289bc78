import type { RecentRequest } from '../../../shared/api/request-log.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const SENDS_BODY = new Set(['POST', 'PUT', 'PATCH']);
const SENDS_MESSAGE = /^\/api\/v1\/chats\/[^/?]+\/messages(?:\/[^/?]+\/edit)?(?:\?|$)/;

/**
 * A request as a command line, safe to read over a shoulder: the key is a
 * variable of the shell, and the body, which the list doesn't have, a placeholder.
 */
export function asCurl({ method, path }: Pick<RecentRequest, 'method' | 'path'>, baseUrl: string): string {
  const parts = ['curl'];
  if (method === 'HEAD') parts.push('-I');
  else if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(baseUrl + path), '-H "Authorization: Bearer $PARLEY_KEY"');
  if (SENDS_BODY.has(method)) {
    const body = method === 'POST' && SENDS_MESSAGE.test(path) ? '{"content": "…"}' : '{}';
    parts.push("-H 'Content-Type: application/json'", '-d', quoted(body));
  }
  return parts.join(' ');
}
