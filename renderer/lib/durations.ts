import { words } from './words/index.ts';

/** How long something took, as short as is still clear: "3.4 s", "12 s", "2 min 5 s", "1 h 3 min". */
export function describeDuration(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return words.durations.seconds((tenths / 10).toLocaleString());
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return words.durations.seconds(seconds.toLocaleString());
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return words.durations.minutes(minutes.toLocaleString(), String(seconds % 60));
  return words.durations.hours(Math.floor(minutes / 60).toLocaleString(), String(minutes % 60));
}
