/** Fetches a picture that a text links to. Loaded on first use. */
import { basename } from 'node:path/posix';
import PQueue from 'p-queue';
import { PICTURE_TYPES, type PictureType } from '../../shared/pictures.ts';
import { plainFileName } from '../files/file-name.ts';
import { HEAD_BYTES, imageSizeOf, imageTypeOf } from '../files/image-size.ts';
import { attempt } from '../../shared/attempt.ts';
import { ToolError } from '../tools/tool.ts';
import { fetchGuarded, inTime, type WebOptions } from '../tools/web/fetch-guarded.ts';

/** A picture as it came. */
interface FetchedPicture {
  /** As its address ends, and with the ending of what it is. */
  name: string;
  mediaType: PictureType;
  bytes: Buffer;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Decoding more pixels than this would take gigabytes. */
const MAX_PIXELS = 100_000_000;
/** How many are held in memory at once. */
const fetching = new PQueue({ concurrency: 4 });

/**
 * Fetches a picture: PNG, JPEG, WebP or GIF by its bytes, whatever its server calls it. It may be on another site than its address says:
 * redirects mostly lead to one. Rejects with ToolError in words, or as the signal does.
 */
export async function fetchPicture(
  address: string,
  { timeoutMs, maxBytes = MAX_BYTES, ...rules }: WebOptions,
  signal: AbortSignal,
): Promise<FetchedPicture> {
  const accept = PICTURE_TYPES.join(',');
  const fetched = await fetching.add(
    () =>
      inTime({ what: 'The picture', timeoutMs, signal }, (until) =>
        fetchGuarded({ ...rules, address, accept, maxBytes, follows: isNoLessSafe, signal: until }),
      ),
    { signal },
  );
  if ('movedTo' in fetched) throw new ToolError(`“${fetched.url.host}” redirects to an unencrypted address.`);
  const { host, pathname } = fetched.url;
  const { body, isCut } = fetched.answer;
  const head = body.subarray(0, HEAD_BYTES);
  const mediaType = imageTypeOf(head);
  if (mediaType === null) throw new ToolError(`What “${host}” sent is not a PNG, JPEG, WebP or GIF picture.`);
  if (isCut) throw new ToolError(`The picture is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`);
  const size = await imageSizeOf(mediaType, head, async (at, length) => body.subarray(at, at + length));
  if (size !== null && size.width * size.height > MAX_PIXELS)
    throw new ToolError(`The picture has too many pixels (${size.width} × ${size.height}).`);
  return { name: nameOf(pathname, mediaType), mediaType, bytes: body };
}

const ENDINGS: Record<PictureType, RegExp> = {
  'image/png': /\.png$/i,
  'image/jpeg': /\.jpe?g$/i,
  'image/webp': /\.webp$/i,
  'image/gif': /\.gif$/i,
};
const MAX_NAME_CHARACTERS = 80;

function nameOf(pathname: string, type: PictureType): string {
  const last = basename(pathname);
  const decoded = attempt(() => decodeURIComponent(last)) ?? last;
  const name = plainFileName(decoded).slice(-MAX_NAME_CHARACTERS) || 'picture';
  return ENDINGS[type].test(name) ? name : `${name}.${type.slice('image/'.length)}`;
}

const isNoLessSafe = (from: URL, to: URL): boolean => from.protocol === 'http:' || to.protocol === 'https:';
