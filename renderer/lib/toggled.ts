/** The list with an item at its end, or without it. */
export function toggled(list: readonly string[], item: string, isIn: boolean): string[] {
  const others = list.filter((other) => other !== item);
  return isIn ? [...others, item] : others;
}
