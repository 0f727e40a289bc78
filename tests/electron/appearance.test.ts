import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NativeImage } from 'electron';
import { expect, it } from 'vitest';
import { readPictures } from '../../electron/appearance.ts';

it.each(['linux', 'win32', 'darwin'] as const)(
  'pictures are all read at the start on %s, and are there',
  (platform) => {
    const read: string[] = [];
    const pictures = readPictures(
      { createFromPath: (path) => ({ path: read.push(path) }) as unknown as NativeImage },
      platform,
    );
    const folder = fileURLToPath(new URL('../../electron/resources/images/', import.meta.url));
    expect(read.filter((path) => !existsSync(join(folder, basename(path))))).toEqual([]);
    const before = read.length;
    for (const isDark of [true, false]) expect(pictures.tray(isDark)).toBe(pictures.tray(isDark));
    expect(pictures.window !== null).toBe(platform === 'linux');
    expect(read).toHaveLength(before);
  },
);
