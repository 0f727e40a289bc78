/** What a function returns; `otherwise` where it throws. */
export function attempt<T>(run: () => T, otherwise: T): T {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
