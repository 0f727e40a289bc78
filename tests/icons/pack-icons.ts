/**
 * Windows' and Apple's icon files, each a list of PNGs with a header. Written here because the format is a few bytes, while
 * electron-builder downloads a converter, and the libraries that write them are no longer maintained.
 */

/** PNGs by their width in pixels; they are square. */
export type Pictures = ReadonlyMap<number, Uint8Array>;

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;

/** A Windows icon with these pictures, at most 256 pixels each. Windows has read PNGs in it since Vista. */
export function packIco(pictures: Pictures): Buffer {
  const entries = [...pictures].sort(([a], [b]) => a - b);
  const header = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * entries.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(entries.length, 4);
  let offset = header.length;
  entries.forEach(([size, png], index) => {
    if (size > 256) throw new Error(`A Windows icon has no picture of ${size} pixels.`);
    const at = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * index;
    // Zero means 256.
    header.writeUInt8(size % 256, at);
    header.writeUInt8(size % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...entries.map(([, png]) => png)]);
}

/** Apple's type names for PNGs in an icon: by width, including those for half the size at double resolution. */
const ICNS_TYPES: Readonly<Record<number, readonly string[]>> = {
  16: ['icp4'],
  32: ['icp5', 'ic11'],
  64: ['icp6', 'ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

const ICNS_HEADER_BYTES = 8;

/** A Mac icon with these pictures: 16, 32, 64, 128, 256, 512 or 1024 pixels. */
export function packIcns(pictures: Pictures): Buffer {
  const entries = [...pictures].flatMap(([size, png]) => {
    const types = ICNS_TYPES[size];
    if (types === undefined) throw new Error(`A Mac icon has no picture of ${size} pixels.`);
    return types.map((type) => Buffer.concat([icnsHeader(type, png.length), png]));
  });
  const length = entries.reduce((sum, entry) => sum + entry.length, 0);
  return Buffer.concat([icnsHeader('icns', length), ...entries]);
}

function icnsHeader(type: string, contentBytes: number): Buffer {
  const header = Buffer.alloc(ICNS_HEADER_BYTES);
  header.write(type, 'latin1');
  header.writeUInt32BE(ICNS_HEADER_BYTES + contentBytes, 4);
  return header;
}
