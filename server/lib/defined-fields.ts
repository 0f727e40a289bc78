/** Those of the named fields that are defined. */
export const definedFields = <T extends object, K extends keyof T>(
  from: T,
  names: readonly K[],
): Pick<T, K> =>
  Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  ) as Pick<T, K>;
