/** What is known about a machine before trying to run Electron. */
import { whyNoDisplay } from './display.ts';

/** Arguments that ask for something other than a window. */
const HEADLESS_ARGUMENTS = ['--json', '--help', '-h', '--version', '-v'];

/** The part of a process that decides it. */
interface Machine {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  getuid?: (() => number) | undefined;
}

/** Why no window is possible, as the beginning of a sentence; empty: none was asked for; null: one is possible. */
export async function whyNoWindow(args: readonly string[], machine: Machine): Promise<string | null> {
  // A check of the desktop app needs its window, even when it prints JSON.
  const isCheck = args.includes('--self-check');
  if (!isCheck && args.some((argument) => HEADLESS_ARGUMENTS.includes(argument))) return '';
  if (machine.platform !== 'linux') return null;
  const noDisplay = await whyNoDisplay(machine.env);
  if (noDisplay !== null) return noDisplay;
  // Chromium's sandbox doesn't work for root, and Parley doesn't run without it.
  return machine.getuid?.() === 0 ? 'A window can’t be opened as root' : null;
}
