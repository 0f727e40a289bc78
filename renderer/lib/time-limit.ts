/**
 * A signal that aborts after that many milliseconds. Unlike `AbortSignal.timeout`, its controller is referenced: WebKit collects signals
 * that only a request refers to, and then the abort never comes.
 */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}
