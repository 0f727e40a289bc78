import { isMac } from './shortcuts.ts';

/** Whether this window is on a Mac. `userAgentData` isn't everywhere yet, and the older property does as well. */
export const onMac = isMac(
  (navigator as { userAgentData?: { platform?: string } }).userAgentData?.platform ?? navigator.platform,
);
