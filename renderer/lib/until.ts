const CHECK_AGAIN_MS = 40;

/** Resolves once it is so, or after that many milliseconds. */
export async function until(isSo: () => boolean, mostMs: number): Promise<void> {
  const deadline = Date.now() + mostMs;
  while (!isSo() && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, CHECK_AGAIN_MS));
}
