/**
 * The longest block of this thread's event loop while `work` runs, in milliseconds of the thread's processor time: what other programs
 * on the machine take doesn't count.
 */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let last = process.threadCpuUsage();
  let longestMs = 0;
  const note = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (user + system) / 1000);
  };
  const timer = setInterval(note, 1);
  try {
    await work();
    note();
  } finally {
    clearInterval(timer);
  }
  return longestMs;
}
