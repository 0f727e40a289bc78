/**
 * Remembers a window's position and size over restarts. Electron's own persistence of this is still experimental; this does
 * the same in a few lines. A position that is no longer on any screen is ignored.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { BrowserWindow, Rectangle, Screen } from 'electron';
import { attempt } from '../server/lib/attempt.ts';

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
/** How much of a window has to be on a screen for a person to be able to drag it. */
const MIN_VISIBLE = { width: 120, height: 60 };
const SAVE_DELAY_MS = 400;

/** The stored bounds, if they are still visible; else the default ones. */
export function readBounds(path: string, screen: Pick<Screen, 'getAllDisplays'>): WindowBounds {
  const stored = parse(path);
  if (stored === null) return DEFAULT_BOUNDS;
  const { x, y, width, height, isMaximized } = stored;
  const size = { width: Math.max(width, MIN_SIZE.width), height: Math.max(height, MIN_SIZE.height) };
  if (x === undefined || y === undefined) return { ...size, isMaximized };
  const isSeen = screen
    .getAllDisplays()
    .some(({ workArea }) => shares(workArea, { x, y, ...size }, MIN_VISIBLE));
  return isSeen ? { ...size, x, y, isMaximized } : { ...size, isMaximized };
}

/** Updates the file from now on. If the disk refuses, only the bounds are lost. */
export function keepBounds(window: BrowserWindow, path: string): void {
  let timer: NodeJS.Timeout | null = null;
  const save = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (window.isDestroyed()) return;
    const bounds: WindowBounds = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    // If that fails, it opens next time where it did before.
    attempt(() => writeFileSync(path, JSON.stringify(bounds), { mode: 0o600 }));
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

function shares(area: Rectangle, window: Rectangle, least: { width: number; height: number }): boolean {
  const width = Math.min(area.x + area.width, window.x + window.width) - Math.max(area.x, window.x);
  const height = Math.min(area.y + area.height, window.y + window.height) - Math.max(area.y, window.y);
  return width >= least.width && height >= least.height;
}
