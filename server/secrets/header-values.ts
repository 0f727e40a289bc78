/** Headers that people set on requests made for them: names, and values that are kept as secrets. */
import { invalidField } from '../errors.ts';

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const VALUE = /^[\x20-\x7e]*$/;
/** Headers that HTTP or the request body needs: another value would break the request. */
const OWN = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers in a request: a text sets one, null removes it. */
export type GivenHeaders = Readonly<Record<string, string | null>>;

/**
 * Throws AppError `invalid_request` for headers that can't be sent; it quotes only names. `max`: how many there may be.
 * `own`: more names, in lower case, that people can't set.
 */
export function checkHeaders(
  headers: GivenHeaders,
  { max, own = [] }: { max: number; own?: readonly string[] },
): void {
  const names = Object.keys(headers);
  if (names.length > max) throw invalidField('headers', `"headers" must not hold more than ${max} names.`);
  for (const name of names) {
    if (!NAME.test(name)) throw invalidField('headers', unusableName('headers'));
    if (OWN.has(name.toLowerCase()) || own.includes(name.toLowerCase())) {
      throw invalidField('headers', `Parley sets the header "${name}" itself; leave it out.`);
    }
    if (!VALUE.test(headers[name] ?? '')) {
      throw invalidField('headers', `The value of the header "${name}" must be plain ASCII on one line.`);
    }
  }
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    throw invalidField('headers', '"headers" names the same header twice.');
  }
}

/** Says that a name can't be used without quoting it: it may be a secret in the wrong place. */
export const unusableName = (field: string): string =>
  `"${field}" holds a name that can’t be used: letters, digits and "_" can.`;

/** Whether a header is among those of these names, in either case. */
export const namesHeader = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());
