/**
 * `now`, with each part that equals its part of `before` replaced by the object from there, so that nothing unchanged is drawn
 * again. For plain data; the order of an object's fields doesn't matter.
 */
export function keepSame<T>(before: unknown, now: T): T {
  if (Object.is(before, now) || !isContainer(before) || !isContainer(now)) return now;
  if (Array.isArray(before) !== Array.isArray(now)) return now;
  const kept = Array.isArray(now)
    ? now.map((part: unknown, index) => keepSame(before[index], part))
    : Object.fromEntries(Object.entries(now).map(([name, part]) => [name, keepSame(before[name], part)]));
  const isSame =
    Object.keys(before).length === Object.keys(kept).length &&
    Object.entries(kept).every(([name, part]) => Object.hasOwn(before, name) && before[name] === part);
  return (isSame ? before : kept) as T;
}

type Container = Record<string | number, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
