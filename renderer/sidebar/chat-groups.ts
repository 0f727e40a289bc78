import type { Chat } from '../../shared/api/chat.ts';
import { briefTime, dayInMonth, timeOfDay } from '../lib/times.ts';

/** Chats under one heading. */
export interface ChatGroup {
  /** `today`, `yesterday`, `week`, `month`, or a month as `2026-09`. */
  key: string;
  /** For a month: its first day, local time; null for the others. */
  month: Date | null;
  chats: Chat[];
}

/** The day of a local time, as a number of days. Days are whole even when clocks change. */
const dayOf = (time: Date): number =>
  Math.round(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000);

function keyOf(time: Date, today: number): string {
  const age = today - dayOf(time);
  // If the clock was set back, chats seem to be from the future: they count as today's.
  if (age <= 0) return 'today';
  if (age === 1) return 'yesterday';
  if (age <= 7) return 'week';
  if (age <= 30) return 'month';
  return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}`;
}

/** Groups chats, newest first, by the day of their last change, in the reader's time zone. */
export function groupChats(chats: readonly Chat[], now: Date): ChatGroup[] {
  const today = dayOf(now);
  const groups: ChatGroup[] = [];
  for (const chat of chats) {
    const time = new Date(chat.updatedAt);
    const key = keyOf(time, today);
    const last = groups.at(-1);
    if (last?.key === key) {
      last.chats.push(chat);
      continue;
    }
    const month = /^\d/.test(key) ? new Date(time.getFullYear(), time.getMonth(), 1) : null;
    groups.push({ key, month, chats: [chat] });
  }
  return groups;
}

/** A chat's time, without what the heading of its group already says. `key`: that group's; empty: it is in none. */
export function timeUnder(key: string, iso: string, now: Date): string {
  if (key === 'today' || key === 'yesterday') return timeOfDay(iso);
  return /^\d/.test(key) ? dayInMonth(iso) : briefTime(iso, now);
}
