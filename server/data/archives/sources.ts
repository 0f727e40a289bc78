/** The sources that apps keep beside a reply: pages and files, nested in lists of many shapes. */
import { isObject, textOf } from '../../lib/fields.ts';
import { itemsIn, objects, type SourcePart } from './source-chat.ts';

/** Deeper than any app nests them. */
const MAX_LEVELS = 8;

const titleOf = (value: Record<string, unknown>): string =>
  textOf(value['title']) ?? textOf(value['name']) ?? textOf(value['attribution']) ?? '';

const isPage = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//i.test(url);

/** All pages and files that are named anywhere in the value. */
export function sourcesIn(value: unknown, levels = MAX_LEVELS): SourcePart[] {
  if (levels === 0) return [];
  if (!isObject(value)) return itemsIn(value).flatMap((each) => sourcesIn(each, levels - 1));
  const { url, type } = value;
  const title = titleOf(value);
  const own: SourcePart[] = isPage(url)
    ? [{ kind: 'source', title, url }]
    : type === 'file' && title !== ''
      ? [{ kind: 'source', title, url: null }]
      : [];
  const addresses = itemsIn(value['safe_urls'])
    .filter(isPage)
    .map((page): SourcePart => ({ kind: 'source', title: '', url: page }));
  const nested = Object.entries(value).filter(([name]) => name !== 'safe_urls');
  return [...own, ...nested.flatMap(([, each]) => sourcesIn(each, levels - 1)), ...addresses];
}

/** What a search found, as text: title, address and an excerpt of each. */
export const foundText = (found: unknown): string =>
  objects(found)
    .map((each) =>
      [titleOf(each), each['url'], each['snippet']].filter((words) => textOf(words) !== null).join('\n'),
    )
    .filter((words) => words !== '')
    .join('\n\n');
