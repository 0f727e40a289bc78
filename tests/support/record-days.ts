import { recordClock } from '../../server/chats/steady-time.ts';
import type { Writer } from '../../server/store/types.ts';

const STEP_MS = 6 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Makes it look as if Parley had run for that many days until a time in milliseconds, with a correct clock. */
export function recordDays(writer: Writer, days: number, untilMs: number): void {
  for (let ms = untilMs - days * DAY_MS; ms <= untilMs; ms += STEP_MS)
    recordClock(writer, new Date(ms), false);
}
