/** Which addresses may be fetched from at all, as far as their text says. */
import { MAX_ADDRESS_CHARACTERS } from '../../../shared/limits.ts';
import { ToolError } from '../tool.ts';

/** The refusal of an address that nothing is fetched from. */
export class AddressError extends ToolError {
  override name = 'AddressError';
}

/** The address of a page. Throws AddressError for what is no address of a web page, or carries a name and password. */
export function readAddress(text: string): URL {
  const url = text.length > MAX_ADDRESS_CHARACTERS ? null : URL.parse(text.trim());
  if (url === null || url.hostname === '') {
    throw new AddressError(
      'That is no address of a page; give the whole of it, like “https://example.com/page”.',
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AddressError('Only pages at “https://…” or “http://…” can be fetched.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressError('The address holds a name or a password; leave them out.');
  }
  // What comes after the sign is for the page itself and is never sent.
  url.hash = '';
  return url;
}

/** Whether following a redirect needs no new question: the same host and port (or both at their usual ones), no less safe. */
export function isSameSite(from: URL, to: URL): boolean {
  const isDowngraded = from.protocol === 'https:' && to.protocol === 'http:';
  return from.hostname === to.hostname && from.port === to.port && !isDowngraded;
}

/** The host as sockets and resolvers take it. */
export const socketHostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
