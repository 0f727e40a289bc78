/** The list with this item: in its own place where it stands there already, as after somebody else asked, else last. */
export function withItem<T extends { id: string }>(items: readonly T[], item: T): T[] {
  const isThere = items.some(({ id }) => id === item.id);
  return isThere ? items.map((other) => (other.id === item.id ? item : other)) : [...items, item];
}
