/**
 * Remembers a window's position and size over restarts. Electron's own persistence of this is still experimental; this does
 * the same in a few lines. A position that is no longer on any screen is ignored.
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { BrowserWindow, Screen } from 'electron';
import { attempt } from '../shared/attempt.ts';

/** A window's position and size. */
export interface WindowBounds {
  width: number;
  height: number;
  /** Absent: centred on the screen. */
  x?: number;
  y?: number;
  isMaximized: boolean;
}

export const MIN_SIZE = { width: 360, height: 480 };
const DEFAULT_BOUNDS: WindowBounds = { width: 1180, height: 800, isMaximized: false };
/** How much of a window's top has to be on a screen for a person to be able to drag it. */
const MIN_VISIBLE = { width: 120, height: 30 };
const SAVE_DELAY_MS = 400;

/** The stored bounds, or the default ones: on a screen that is there, and no larger than all of them. */
export function readBounds(path: string, screen: Pick<Screen, 'getAllDisplays'>): WindowBounds {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { x, y, isMaximized, ...stored } = parse(path) ?? DEFAULT_BOUNDS;
  const fit = (side: 'width' | 'height', start: 'x' | 'y'): number => {
    const end = Math.max(...areas.map((area) => area[start] + area[side]));
    const room = end - Math.min(...areas.map((area) => area[start]));
    return Math.max(Math.min(stored[side], room), MIN_SIZE[side]);
  };
  const size = { width: fit('width', 'x'), height: fit('height', 'y') };
  const isSeen = (left: number, top: number): boolean =>
    areas.some(
      (area) =>
        Math.min(left + size.width, area.x + area.width) - Math.max(left, area.x) >= MIN_VISIBLE.width &&
        top + MIN_VISIBLE.height > area.y &&
        top + MIN_VISIBLE.height <= area.y + area.height,
    );
  return x === undefined || y === undefined || !isSeen(x, y)
    ? { ...size, isMaximized }
    : { ...size, x, y, isMaximized };
}

/** Updates the file from now on. If the disk refuses, only the bounds are lost. */
export function keepBounds(window: BrowserWindow, path: string): void {
  let timer: NodeJS.Timeout | null = null;
  const save = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (window.isDestroyed()) return;
    const bounds: WindowBounds = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    // If that fails, the window opens where it did last time.
    attempt(() => {
      writeFileSync(`${path}.tmp`, JSON.stringify(bounds), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    });
  };
  const saveSoon = (): void => {
    timer ??= setTimeout(save, SAVE_DELAY_MS);
  };
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('maximize', saveSoon);
  window.on('unmaximize', saveSoon);
  window.on('close', save);
}

function parse(path: string): WindowBounds | null {
  try {
    // Reading a pipe would never end.
    if (!statSync(path).isFile()) return null;
    const { x, y, width, height, isMaximized } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      unknown
    >;
    if (!isLength(width) || !isLength(height)) return null;
    const bounds = { width, height, isMaximized: isMaximized === true };
    return isCoordinate(x) && isCoordinate(y) ? { ...bounds, x, y } : bounds;
  } catch {
    return null;
  }
}

const isCoordinate = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) < 1e5;
const isLength = (value: unknown): value is number => isCoordinate(value) && value > 0;
