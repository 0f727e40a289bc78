/**
 * Whether the windows are Wayland's: there the desktop decides over shortcuts, which it may refuse without a word, and over
 * where windows stand and what is above what.
 */
export function isWayland(
  env: Readonly<Record<string, string | undefined>>,
  chosenPlatform: string,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'linux') return false;
  if (chosenPlatform !== '') return chosenPlatform === 'wayland';
  return env['XDG_SESSION_TYPE'] === 'wayland';
}
