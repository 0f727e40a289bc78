import type { Environment } from './display.ts';

/**
 * Whether the windows run on Wayland: there the desktop decides about shortcuts, which it may refuse silently, and about
 * the position and stacking of windows.
 */
export function isWayland(env: Environment, chosenPlatform: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'linux') return false;
  if (chosenPlatform !== '') return chosenPlatform === 'wayland';
  return env['XDG_SESSION_TYPE'] === 'wayland';
}
