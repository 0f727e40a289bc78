import { whyMissing } from './desktop-runtime.ts';

/** Prints once, before the specs run, what the desktop specs run on. */
export default function sayRuntime(): void {
  const missing = whyMissing('electron');
  const runtimes = missing === null ? 'the stand-in and on Electron' : `the stand-in alone: ${missing}`;
  process.stdout.write(`Desktop specs run on ${runtimes}.\n`);
}
