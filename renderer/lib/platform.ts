import { isMac } from './shortcuts.ts';

/** `userAgentData` isn't everywhere yet, and the older property does as well. */
const platform =
  (navigator as { userAgentData?: { platform?: string } }).userAgentData?.platform ?? navigator.platform;

/** Whether this window is on a Mac. */
export const onMac = isMac(platform);

const isWindows = (system: string): boolean => /^win/i.test(system);

/** Whether this window is on Windows. */
export const onWindows = isWindows(platform);

/** An example of a folder of the person's own, as paths are written on this system. */
export const exampleFolder = (name: string, system = platform): string =>
  isWindows(system) ? `C:\\Users\\you\\${name}` : `/${isMac(system) ? 'Users' : 'home'}/you/${name}`;
