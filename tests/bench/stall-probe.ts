/**
 * Preloaded into a server that `stalls.ts` measures: reports the longest block of its event loop since the last report, in
 * milliseconds of this thread's processor time, so that other programs on the machine don't count.
 */
let last = process.threadCpuUsage();
let longestMs = 0;

function note(): void {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (user + system) / 1000);
}

setInterval(note, 1).unref();
process.on('message', () => {
  note();
  process.send?.(longestMs);
  longestMs = 0;
});
process.channel?.unref();
