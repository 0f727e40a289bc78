/** What can be told of a machine before Electron is tried on it. */

/** Arguments that ask for something other than a window. */
const HEADLESS_ARGUMENTS = ['--json', '--help', '-h', '--version', '-v'];

/** Why there can be no window here, as the beginning of a sentence; empty: none was asked for; null: there can be one. */
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
  // A check of the desktop app wants its window, also when it is to print JSON.
  const isCheck = args.includes('--self-check');
  if (!isCheck && args.some((argument) => HEADLESS_ARGUMENTS.includes(argument))) return '';
  if (platform !== 'linux') return null;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'There is no display here';
  // Chromium's sandbox doesn't work for root, and Parley doesn't go without it.
  return getuid?.() === 0 ? 'A window can’t be opened as root' : null;
}
