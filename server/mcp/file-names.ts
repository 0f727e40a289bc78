/** What files that tools give are called. */

const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/;
const MAX_MEDIA_TYPE_CHARACTERS = 100;
const MAX_NAME_CHARACTERS = 120;
const UNKNOWN_TYPE = 'application/octet-stream';
const EXTENSIONS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  mpeg: 'mp3',
  plain: 'txt',
  'octet-stream': 'bin',
  'svg+xml': 'svg',
};

/** A media type that can stand in a header, without parameters. */
export function mediaTypeOf(told: string): string {
  const type = told.replace(/;.*$/s, '').trim().toLowerCase();
  return type.length <= MAX_MEDIA_TYPE_CHARACTERS && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}

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
  if (own !== '') return own.slice(0, MAX_NAME_CHARACTERS).toWellFormed();
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
