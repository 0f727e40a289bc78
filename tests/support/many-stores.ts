/**
 * Flags of Node for a process that opens store after store. Each has 16 MB of its own outside the heap: with V8's defaults, a few of them
 * have all garbage collected, a quarter to half the time of such tests.
 */
export const MANY_STORES = [
  '--max-semi-space-size=64',
  '--initial-old-space-size=512',
  '--external-memory-accounted-in-global-limit',
];
