/** What is known about a machine before trying to run Electron. */

/** Arguments that ask for something other than a window. */
const HEADLESS_ARGUMENTS = ['--json', '--help', '-h', '--version', '-v'];

/** Why no window is possible, as the beginning of a sentence; empty: none was asked for; null: one is possible. */
export function whyNoWindow(
  args: readonly string[],
  {
    platform,
    env,
    getuid,
  }: {
    platform: NodeJS.Platform;
    env: Readonly<Record<string, string | undefined>>;
    getuid?: (() => number) | undefined;
  },
): string | null {
  // A check of the desktop app needs its window, even when it prints JSON.
  const isCheck = args.includes('--self-check');
  if (!isCheck && args.some((argument) => HEADLESS_ARGUMENTS.includes(argument))) return '';
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'There is no display here';
  // Chromium's sandbox doesn't work for root, and Parley doesn't run without it.
  return getuid?.() === 0 ? 'A window can’t be opened as root' : null;
}
