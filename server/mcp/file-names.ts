/** What files that tools give are called. */
import { MAX_FILE_NAME_CHARACTERS } from '../lib/media-type.ts';

const EXTENSIONS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  plain: 'txt',
  'octet-stream': 'bin',
  'svg+xml': 'svg',
};

/** The last part of its address, or its kind with a number: `image-1.png`. */
export function fileName(file: {
  kind: string;
  mediaType: string;
  uri: string | undefined;
  number: number;
}): string {
  const [, last = ''] = /([^/?#]+)\/?(?:[?#].*)?$/s.exec(file.uri ?? '') ?? [];
  const own = decoded(last)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu, ' ')
    .trim();
  if (own !== '') return own.slice(0, MAX_FILE_NAME_CHARACTERS).toWellFormed();
  const [, subtype = ''] = file.mediaType.split('/');
  const extension = EXTENSIONS[subtype] ?? subtype.replace(/^x-/, '');
  return `${file.kind}-${file.number}.${extension}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
