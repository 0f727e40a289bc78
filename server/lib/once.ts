/** What is known by that key; read and kept when nothing is. */
export function once<K, V>(known: Map<K, V>, key: K, read: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    value = read();
    known.set(key, value);
  }
  return value;
}
