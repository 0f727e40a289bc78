/** What is known about a machine before trying to run Electron. */

/** Arguments that ask for something other than a window. */
const HEADLESS_ARGUMENTS = ['--json', '--help', '-h', '--version', '-v'];

/** The part of a process that decides it. */
interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  getuid?: (() => number) | undefined;
}

/** Why there is nothing to draw on, as the beginning of a sentence; null: there is. */
export const whyNoDisplay = ({ platform, env }: Machine): string | null =>
  platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'] ? 'There is no display here' : null;

/** Why no window is possible, as the beginning of a sentence; empty: none was asked for; null: one is possible. */
export function whyNoWindow(args: readonly string[], machine: Machine): string | null {
  // A check of the desktop app needs its window, even when it prints JSON.
  const isCheck = args.includes('--self-check');
  if (!isCheck && args.some((argument) => HEADLESS_ARGUMENTS.includes(argument))) return '';
  const noDisplay = whyNoDisplay(machine);
  if (noDisplay !== null || machine.platform !== 'linux') return noDisplay;
  // Chromium's sandbox doesn't work for root, and Parley doesn't run without it.
  return machine.getuid?.() === 0 ? 'A window can’t be opened as root' : null;
}
