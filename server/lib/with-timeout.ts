/** Resolves as the promise does, or with undefined after `timeoutMs`; rejects if the promise rejects first. */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
