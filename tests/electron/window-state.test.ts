import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindow, Display } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepBounds, readBounds } from '../../electron/window-state.ts';
import { HAS_PIPES } from '../support/platform.ts';

const display = (x: number, y: number, width: number, height: number): Display =>
  ({ workArea: { x, y, width, height } }) as Display;
const screen = (...displays: Display[]): { getAllDisplays: () => Display[] } => ({
  getAllDisplays: () => displays,
});
const ONE = screen(display(0, 0, 1920, 1080));
const USUAL = { width: 1180, height: 800, isMaximized: false };

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  path = join(folder, 'place.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a window’s place', () => {
  const store = (place: unknown): Promise<void> => writeFile(path, JSON.stringify(place));

  it('is the usual one at first', () => {
    expect(readBounds(path, ONE)).toEqual(USUAL);
  });

  it('is where it was', async () => {
    await store({ x: 100, y: 50, width: 900, height: 700, isMaximized: true });
    expect(readBounds(path, ONE)).toEqual({ x: 100, y: 50, width: 900, height: 700, isMaximized: true });
  });

  it('may be on another screen, also to the left of the first', async () => {
    await store({ x: -1500, y: 0, width: 900, height: 700, isMaximized: false });
    expect(readBounds(path, screen(display(0, 0, 1920, 1080), display(-1920, 0, 1920, 1080)))).toMatchObject({
      x: -1500,
    });
  });

  it('is in the middle again, as large as before, once no screen shows it', async () => {
    await store({ x: -1500, y: 0, width: 900, height: 700, isMaximized: false });
    expect(readBounds(path, ONE)).toEqual({ width: 900, height: 700, isMaximized: false });
    await store({ x: 1900, y: 500, width: 900, height: 700, isMaximized: false });
    expect(readBounds(path, ONE)).not.toHaveProperty('x');
    // Only its lower edge is seen, which nobody can drag.
    await store({ x: 100, y: -600, width: 900, height: 700, isMaximized: false });
    expect(readBounds(path, ONE)).not.toHaveProperty('x');
  });

  it('is no larger than the screens, also at first: below their edge is the message box', async () => {
    const small = screen(display(0, 0, 1024, 600));
    expect(readBounds(path, small)).toEqual({ width: 1024, height: 600, isMaximized: false });
    await store({ x: 0, y: 0, width: 3840, height: 2160, isMaximized: false });
    expect(readBounds(path, small)).toEqual({ x: 0, y: 0, width: 1024, height: 600, isMaximized: false });
    const two = screen(display(-1920, 0, 1920, 1080), display(0, 0, 1920, 1080));
    expect(readBounds(path, two)).toMatchObject({ width: 3840, height: 1080 });
  });

  it.runIf(HAS_PIPES)('is the usual one for what is no file, and is kept there from then on', () => {
    execFileSync('mkfifo', [path]);
    expect(readBounds(path, ONE)).toEqual(USUAL);
    const window = Object.assign(new EventEmitter(), {
      isDestroyed: () => false,
      getNormalBounds: () => ({ x: 1, y: 2, width: 900, height: 700 }),
      isMaximized: () => false,
    });
    keepBounds(window as unknown as BrowserWindow, path);
    window.emit('close');
    expect(readBounds(path, ONE)).toMatchObject({ x: 1, y: 2, width: 900 });
  });

  it.each([
    null,
    [],
    {},
    { width: 'a', height: 3 },
    { width: -5, height: 700 },
    { width: 1e9, height: 700 },
    { x: 0, y: 0, width: 0, height: 0 },
  ])('is the usual one when the file holds nonsense: %j', async (place) => {
    await store(place);
    expect(readBounds(path, ONE)).toEqual(USUAL);
  });

  it('is the usual one when the file is torn', async () => {
    await writeFile(path, '{"x": 1');
    expect(readBounds(path, ONE)).toEqual(USUAL);
  });

  it('is never smaller than the page can be used', async () => {
    await store({ width: 10, height: 10, isMaximized: false });
    expect(readBounds(path, ONE)).toEqual({ width: 360, height: 480, isMaximized: false });
  });
});

describe('keeping it', () => {
  const place = { x: 7, y: 8, width: 910, height: 720 };
  const makeWindow = (): BrowserWindow =>
    Object.assign(new EventEmitter(), {
      isDestroyed: () => false,
      getNormalBounds: () => place,
      isMaximized: () => false,
    }) as unknown as BrowserWindow;

  it('writes once a move has come to rest, and when the window closes', async () => {
    vi.useFakeTimers();
    const window = makeWindow();
    keepBounds(window, path);
    for (let moves = 0; moves < 20; moves += 1) window.emit('move');
    await expect(readFile(path, 'utf8')).rejects.toThrow('ENOENT');
    vi.runAllTimers();
    vi.useRealTimers();
    expect(readBounds(path, ONE)).toEqual({ ...place, isMaximized: false });
    await rm(path);
    window.emit('close');
    expect(readBounds(path, ONE)).toMatchObject(place);
  });

  it('costs nothing but the place when the disk refuses', async () => {
    const window = makeWindow();
    keepBounds(window, join(folder, 'missing', 'place.json'));
    await chmod(folder, 0o700);
    expect(() => window.emit('close')).not.toThrow();
  });
});
