const waiting: (() => void)[] = [];
let isRequested = false;

/** Runs each in a frame of its own, in order. */
export function nextFrame(run: () => void): void {
  waiting.push(run);
  if (!isRequested) request();
}

/** Runs all that wait, and what they make wait, each in a task of its own: sooner than in frames, and the page isn't held up. */
export async function runWaiting(): Promise<void> {
  while (waiting.length > 0) {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function request(): void {
  isRequested = waiting.length > 0;
  if (!isRequested) return;
  requestAnimationFrame(() => {
    waiting.shift()?.();
    request();
  });
}
