/** JSON that keeps numbers as they are written, such as `1.0` and integers of 20 digits. */

/** What the engine has beyond the types of this language level. */
const EXACT = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/**
 * The value of a JSON text. A number that JavaScript would write in another way becomes an object that
 * `JSON.stringify` writes as it was. Throws as `JSON.parse` does, and for what is nested too deeply.
 */
export const parseExactly = (text: string): unknown =>
  EXACT.parse(text, (_, value, { source }) =>
    typeof value === 'number' && JSON.stringify(value) !== source ? EXACT.rawJSON(source) : value,
  );

/** Whether a value from {@link parseExactly} is such a number. */
export const isExactNumber = (value: unknown): boolean => EXACT.isRawJSON(value);
