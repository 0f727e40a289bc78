import { ListChatsQuery } from '../../shared/api/chat.ts';

/**
 * What may be shown of a request's target in the list of requests, or a screenshot of it: where it went, but no search words, keys or
 * tokens, wherever they appear.
 */
const HIDDEN = '…';

/** Parameters whose values reveal nothing that anybody wrote. Those of the list of chats are all of this kind. */
const HARMLESS = new Set([
  ...Object.keys(ListChatsQuery.properties),
  'limit',
  'after',
  'format',
  'external',
  'permanent',
  'wait',
  'for',
]);

const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** A key or token, or the better part of one. */
const SECRET = /(?:parley|page|return)_[\w-]{6}/i;
/** Names are short, ids have 36 characters, and a key has more. */
const MAX_NAME_CHARACTERS = 32;
const MAX_VALUE_CHARACTERS = 40;

/** The displayed form of a request target. */
export function shownPath(target: string): string {
  const url = target.replace(AUTHORITY, '').split('#', 1)[0] ?? '';
  // The target of CONNECT, which may hold a name and a password.
  if (url !== '' && url !== '*' && !url.startsWith('/')) return HIDDEN;
  const path = url.split('?', 1)[0] ?? '';
  const query = url.slice(path.length);
  return path.replace(/[^/]+/g, shownValue) + query.replace(/(?<=^\?|&)[^&]+/g, shownParameter);
}

function shownParameter(text: string): string {
  const [, name = '', equals = '', value = ''] = /^([^=]*)(?:(=)(.*))?$/s.exec(text) ?? [];
  const isPlainName = /^[\w-]+$/.test(name) && name.length <= MAX_NAME_CHARACTERS && !SECRET.test(name);
  const shown = value !== '' && HARMLESS.has(name) ? shownValue(value) : value && HIDDEN;
  return (isPlainName ? name : HIDDEN) + equals + shown;
}

/** A path segment or a harmless value, which may still hold what it shouldn't. */
function shownValue(text: string): string {
  const decoded = decode(text);
  return decoded.length > MAX_VALUE_CHARACTERS || SECRET.test(decoded) ? HIDDEN : text;
}

/** Percent-encoding undone, twice over, byte by byte: enough to see what hides behind it. */
function decode(text: string): string {
  const once = (some: string): string =>
    some.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return once(once(text));
}
