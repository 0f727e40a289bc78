import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packIcns, packIco } from './pack-icons.ts';

const FOLDER = fileURLToPath(new URL('../../electron/resources/', import.meta.url));

/** What is used of resedit, by which electron-builder puts the icon into the Windows program. */
interface ResEdit {
  Data: { IconFile: { from(file: Uint8Array): { icons: { width?: number; data: { bin: ArrayBuffer } }[] } } };
}
const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const { Data } = createRequire(builder.resolve('app-builder-lib'))('resedit') as ResEdit;

/** Width of a PNG; throws when it isn't one. */
function widthOf(png: Uint8Array): number {
  const bytes = Buffer.from(png);
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error('This is no PNG.');
  return bytes.readUInt32BE(16);
}

const picturesInIco = (file: Uint8Array): number[] =>
  Data.IconFile.from(file).icons.map(({ data }) => widthOf(new Uint8Array(data.bin)));

/** Type and width of each picture in a Mac icon, walked by the lengths that it states. */
function picturesInIcns(file: Buffer): [string, number][] {
  expect(file.toString('latin1', 0, 4)).toBe('icns');
  expect(file.readUInt32BE(4)).toBe(file.length);
  const found: [string, number][] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at + 4);
    found.push([file.toString('latin1', at, at + 4), widthOf(file.subarray(at + 8, at + length))]);
    at += length;
  }
  return found;
}

const read = (name: string): Buffer => readFileSync(join(FOLDER, name));
const png = (size: number): Buffer => read(`icons/${size}x${size}.png`);

describe('packing', () => {
  it('makes a Windows icon that holds each picture as it was', () => {
    const packed = packIco(new Map([16, 256, 32].map((size) => [size, png(size)])));
    expect(picturesInIco(packed)).toEqual([16, 32, 256]);
    const [first] = Data.IconFile.from(packed).icons;
    expect(first === undefined ? null : Buffer.from(first.data.bin)).toEqual(png(16));
  });

  it('makes a Mac icon that names each picture by its size, and as the finer one of half of it', () => {
    const packed = packIcns(new Map([32, 512].map((size) => [size, png(size)])));
    expect(picturesInIcns(packed)).toEqual([
      ['icp5', 32],
      ['ic11', 32],
      ['ic09', 512],
      ['ic14', 512],
    ]);
  });

  it('refuses sizes that the formats have no place for', () => {
    expect(() => packIco(new Map([[512, png(512)]]))).toThrow('512');
    expect(() => packIcns(new Map([[48, png(48)]]))).toThrow('48');
  });
});

describe('the pictures that are committed', () => {
  it('hold every size that the platforms ask for', () => {
    expect(picturesInIco(read('icon.ico'))).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256]);
    expect(picturesInIcns(read('icon.icns')).map(([, width]) => width)).toEqual([
      16, 32, 32, 64, 64, 128, 256, 256, 512, 512, 1024,
    ]);
    for (const panel of ['light', 'dark']) {
      expect(picturesInIco(read(`images/tray-on-${panel}.ico`))).toEqual([16, 20, 24, 32, 48]);
    }
  });

  it('are as large as their names say, and twice that where it says @2x', () => {
    for (const name of readdirSync(join(FOLDER, 'icons')))
      expect(name).toBe(`${widthOf(read(`icons/${name}`))}x${widthOf(read(`icons/${name}`))}.png`);
    const finer = readdirSync(join(FOLDER, 'images')).filter((name) => name.endsWith('@2x.png'));
    expect(finer).toHaveLength(4);
    for (const name of finer) {
      expect(widthOf(read(`images/${name}`))).toBe(2 * widthOf(read(`images/${name.replace('@2x', '')}`)));
    }
  });
});
