const waiting: (() => void)[] = [];

/** Runs each in a frame of its own, in order. */
export function nextFrame(run: () => void): void {
  if (waiting.push(run) === 1) requestAnimationFrame(runNext);
}

function runNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) requestAnimationFrame(runNext);
}
