/** How long a server asks to wait: in its headers, in fields of its answer, or in its words. */

const UNITS: readonly [RegExp, number][] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1_000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];
const UNIT = '(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)';
const AMOUNT = new RegExp(`(?<![\\d.])(\\d+(?:\\.\\d+)?)\\s*(${UNIT})(?![a-z])`, 'gi');
const IN_WORDS = new RegExp(
  `\\b(?:try again|retry|wait|available|resets?)\\b[^.\\d]{0,40}?((?:\\d+(?:\\.\\d+)?\\s*${UNIT}(?![a-z])[\\s,]*(?:and )?)+)`,
  'i',
);
const SECONDS_FIELD = /^(?:retry[_-]?(?:after|delay|in)(?:[_-]?s(?:ec(?:ond)?s)?)?|estimated_time)$/i;
const MS_FIELD = /^retry[_-]?(?:after|delay|in)[_-]?(?:ms|milliseconds)$/i;
const RESET_FIELD = /^(?:x-)?ratelimit-reset$/i;
const MAX_DEPTH = 8;

/** The wait in milliseconds; null: none is asked for. `words`: the server's words. */
export function waitIn(
  headers: Readonly<Record<string, string>>,
  json: unknown,
  words: string,
): number | null {
  const date = Date.parse(headers['retry-after'] ?? '') - Date.now();
  return (
    waitInFields(headers) ??
    (date >= 0 ? date : null) ??
    waitInFields(json) ??
    durationOf(IN_WORDS.exec(words)?.[1] ?? '')
  );
}

/** The first wait in these fields, or in the objects and lists among them. */
function waitInFields(value: unknown, depth = 0): number | null {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  const fields = Object.entries(value);
  const find = (names: RegExp, read: (field: unknown) => number | null): number | null => {
    const found = fields.map(([name, field]) => (names.test(name) ? read(field) : null));
    return found.find((ms) => ms !== null) ?? null;
  };
  return (
    find(MS_FIELD, (ms) => numberOf(ms)) ??
    find(SECONDS_FIELD, secondsOf) ??
    find(RESET_FIELD, secondsOf) ??
    find(/./, (field) => waitInFields(field, depth + 1))
  );
}

/** `7`, `"7"`, `"7.5s"`, Google's `{ seconds: 7 }`, or a moment in seconds or milliseconds since 1970. */
function secondsOf(value: unknown): number | null {
  const number = numberOf(value) ?? numberOf((value as { seconds?: unknown } | null)?.seconds);
  if (number === null) return typeof value === 'string' ? durationOf(value) : null;
  if (number < 1e9) return number * 1_000;
  return Math.max(0, (number > 1e12 ? number : number * 1_000) - Date.now());
}

function durationOf(text: string): number | null {
  const amounts = [...text.matchAll(AMOUNT)].map(
    ([, count, unit = '']) => Number(count) * (UNITS.find(([name]) => name.test(unit))?.[1] ?? 0),
  );
  return amounts.length === 0 ? null : Math.round(amounts.reduce((sum, ms) => sum + ms, 0));
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && Number.isFinite(number) ? number : null;
}
