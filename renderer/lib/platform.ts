import { isMac } from './shortcuts.ts';

/** Whether this window sits on a Mac. `userAgentData` is not everywhere yet, and the older property tells no less. */
export const onMac = isMac(
  (navigator as { userAgentData?: { platform?: string } }).userAgentData?.platform ?? navigator.platform,
);
