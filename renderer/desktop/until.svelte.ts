/** Resolves once the state that `isSo` reads makes it true, or after that many milliseconds. */
export function until(isSo: () => boolean, mostMs: number): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = $effect.root(() => {
      $effect(() => {
        if (isSo()) end();
      });
    });
    const timer = setTimeout(end, mostMs);
    function end(): void {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}
