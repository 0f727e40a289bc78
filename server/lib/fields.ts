/** Reads foreign JSON of unknown structure. */

/** An object's fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether the value is an object, and no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value's fields; none if it isn't an object. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The value, if it is a list; else null. */
export const listOf = (value: unknown): readonly unknown[] | null =>
  Array.isArray(value) ? (value as unknown[]) : null;

/** The value, if it is text that isn't empty; else null. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The value, if it is true or false; else null. */
export const booleanOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);

/** The first value that is a whole number above 0; null when none is. */
export function countOf(...values: unknown[]): number | null {
  return (
    (values.find((value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0) as
      | number
      | undefined) ?? null
  );
}

/** Whether it is an ISO 8601 UTC time with milliseconds, of a day that exists: `Date.parse` takes 31 February for one in March. */
export function isTime(value: unknown): value is string {
  const ms = typeof value === 'string' && /^\d/.test(value) ? Date.parse(value) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value;
}
