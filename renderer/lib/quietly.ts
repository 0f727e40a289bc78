/** Lets work go on by itself. Failures are ignored: what it loads is loaded again later, and shown where it is missing. */
export function quietly(...work: Promise<unknown>[]): void {
  for (const each of work) each.catch(() => undefined);
}
