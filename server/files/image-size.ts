/** Width and height of pictures, from their heads alone: nothing is unpacked. */

import type { PictureType } from '../../shared/pictures.ts';

/** In pixels. */
interface ImageSize {
  width: number;
  height: number;
}

/** Reads up to `length` bytes at `position` of a file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/** How much of a file's beginning is needed to detect its type. */
export const HEAD_BYTES = 1024;

/** The picture format of a file, by its first bytes; null: unknown. */
export function imageTypeOf(head: Buffer): PictureType | null {
  const starts = (text: string, at = 0): boolean => head.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts('\xff\xd8\xff')) return 'image/jpeg';
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  return null;
}

/** The size of a picture; null if its head doesn't say, as in a file that was cut off. */
export async function imageSizeOf(
  type: PictureType,
  head: Buffer,
  readAt: ReadAt,
): Promise<ImageSize | null> {
  try {
    const size = type === 'image/jpeg' ? await jpegSize(readAt) : FROM_HEAD[type](head);
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // The head is too short.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const FROM_HEAD: Record<Exclude<PictureType, 'image/jpeg'>, (head: Buffer) => ImageSize | null> = {
  'image/png': (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  'image/gif': (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/webp': webpSize,
};

function webpSize(head: Buffer): ImageSize | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** More segments than any camera writes. */
const MAX_SEGMENTS = 1_000;

/** Goes from segment to segment until the one that begins the picture. */
async function jpegSize(readAt: ReadAt): Promise<ImageSize | null> {
  let offset = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments += 1) {
    const segment = await readAt(offset, 9);
    if (segment.readUInt8(0) !== 0xff) return null;
    const marker = segment.readUInt8(1);
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: segment.readUInt16BE(7), height: segment.readUInt16BE(5) };
    // Without a frame before them, the picture itself or the end.
    if (marker === 0xda || marker === 0xd9) return null;
    offset += 2 + segment.readUInt16BE(2);
  }
  return null;
}
