/** What a function returns; `otherwise` (null unless given) where it throws. */
export function attempt<T>(run: () => T): T | null;
export function attempt<T>(run: () => T, otherwise: T): T;
export function attempt<T>(run: () => T, otherwise: T | null = null): T | null {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
