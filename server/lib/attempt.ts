/** What a function returns; null where it throws. */
export function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
