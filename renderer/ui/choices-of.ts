/** One of several values to choose from. */
export interface Choice<T extends string> {
  value: T;
  name: string;
  hint?: string;
}

/** The choices with these names, and a sentence about each. */
export const choicesOf = <T extends string>(
  names: Readonly<Record<T, string>>,
  hints?: Readonly<Record<T, string>>,
): Choice<T>[] =>
  (Object.keys(names) as T[]).map((value) => ({
    value,
    name: names[value],
    ...(hints && { hint: hints[value] }),
  }));
