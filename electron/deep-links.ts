/**
 * `parley://chat/<id>` opens a chat; `parley://new?text=…` opens a new one with that text in its message box, where the
 * person decides whether to send it. Any web page and program can open such an address, so it may do no more than that.
 */
import { MAX_CONTENT_CHARACTERS } from '../shared/limits.ts';
import { attempt } from '../shared/attempt.ts';
import { INVISIBLE } from '../server/lib/plain-text.ts';

/** The scheme of Parley's links. */
export const LINK_SCHEME = 'parley';

/** What an address asks for. */
export type LinkTarget = { kind: 'chat'; chatId: string } | { kind: 'new'; text: string };

/** Ids are short; anything longer isn't a chat. */
const MAX_ID_LENGTH = 200;

/** What the address asks for; null when it isn't one of ours or is invalid. */
export function parseLink(address: string): LinkTarget | null {
  const url = URL.parse(address);
  if (url?.protocol !== `${LINK_SCHEME}:`) return null;
  const path = url.pathname.replaceAll(/^\/+|(?<!\/)\/+$/g, '');
  const host = url.host.toLowerCase();
  if (host === 'new' && path === '') {
    const text = url.searchParams.get('text') ?? '';
    const kept = Array.from(text).slice(0, MAX_CONTENT_CHARACTERS).join('');
    // A person decides about it, so they have to see all of it, and in its order.
    const isLayout = (sign: string): boolean => sign === '\n' || sign === '\t';
    return {
      kind: 'new',
      text: kept.replaceAll('\r\n', '\n').replaceAll(INVISIBLE, (sign) => (isLayout(sign) ? sign : '')),
    };
  }
  if (host !== 'chat') return null;
  const chatId = attempt(() => decodeURIComponent(path));
  return chatId === null || chatId === '' || chatId.length > MAX_ID_LENGTH ? null : { kind: 'chat', chatId };
}
