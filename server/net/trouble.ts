/** Why a request got no answer: classified by the network's codes, and in words. */

/** Kinds of trouble, by what a person can do about them. */
export type Trouble =
  | 'unknown_name'
  | 'refused'
  | 'certificate'
  | 'wrong_certificate'
  | 'proxy'
  | 'not_http'
  | 'broke_off'
  | 'unreachable';

const KINDS: readonly [RegExp, Trouble][] = [
  [/^(?:ENOTFOUND$|EAI_)/, 'unknown_name'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^ERR_PROXY/, 'proxy'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID|REVOKED)$|ALTNAME/, 'wrong_certificate'],
  [/^HPE_|^EPROTO$|^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST)/, 'not_http'],
  [/CERT|SELF_SIGNED|UNABLE_TO|DEPTH/, 'certificate'],
  [/^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT)$/, 'broke_off'],
];
const MAY_PASS =
  /^(?:ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT)$/;
const MAX_CAUSES = 8;

/** An error like the network's own. */
export const networkError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** The kind of trouble for a network error code. */
export const troubleOf = (code: string): Trouble =>
  KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable';

/** Whether the same request may succeed a moment later. */
export const mayPass = (code: string): boolean => troubleOf(code) === 'broke_off' || MAY_PASS.test(code);

/** The network's code in an error or its causes; null: it was something else. */
export function codeIn(error: unknown): string | null {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth += 1) {
    const { code } = cause as Error & { code?: unknown };
    if (typeof code === 'string' && /^(?:[A-Z][A-Z0-9_]+|ZSTD_\w+)$/.test(code)) return code;
    if (cause instanceof AggregateError) return codeIn(cause.errors[0]) ?? 'ECONNREFUSED';
    cause = cause.cause;
  }
  if (!(error instanceof TypeError)) return null;
  // What `fetch` aborts, and what it never requests: ports of other protocols.
  if (error.message === 'terminated') return 'UND_ERR_SOCKET';
  return error.message === 'fetch failed' ? 'EUNKNOWN' : null;
}

/**
 * Describes trouble with the server at an address, in two parts of a sentence without their full stops; `todo` is for a
 * person who has just entered the address. `name`: the server's, by default its host.
 */
export function describeTrouble(
  trouble: Trouble,
  address: string,
  name?: string,
): { what: string; todo: string } {
  const { origin, host, hostname, protocol } = new URL(address);
  const who = name ?? host;
  const isSecure = protocol === 'https:';
  switch (trouble) {
    case 'unknown_name':
      return {
        what: `No computer with the name ${hostname} was found`,
        todo: 'check the address and the network',
      };
    case 'refused':
      return {
        what: `Nothing answered at ${origin}`,
        todo: 'start the server there, or check the address and the port',
      };
    case 'certificate':
      return {
        what: `The certificate of ${who} wasn’t trusted, so nothing was sent to it`,
        todo: `if it is the right server, name its certificate’s file in the settings under Models, or add it to those that this computer trusts`,
      };
    case 'wrong_certificate':
      return {
        what: `The certificate of ${who} had expired or was for another name, so nothing was sent to it`,
        todo: 'check the address, and the certificate there',
      };
    case 'proxy':
      return {
        what: `The proxy didn’t connect to ${who}`,
        todo: 'check the proxy (HTTPS_PROXY, or the system’s), or except the server from it (NO_PROXY)',
      };
    case 'not_http':
      return {
        what: `The server at ${who} didn’t speak ${isSecure ? 'https' : 'http'}`,
        todo: `try ${isSecure ? 'http' : 'https'}, or check the port`,
      };
    case 'broke_off':
      return {
        what: `${who} broke off the connection`,
        todo: isSecure
          ? 'check the address, and whether the server is well'
          : 'begin the address with https if it speaks that, or see whether it is well',
      };
    case 'unreachable':
      return { what: `${who} could not be reached`, todo: 'check the address and the network' };
  }
}
