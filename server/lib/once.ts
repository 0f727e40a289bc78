/** The cached value of that key; reads and caches it if missing. */
export function once<K, V>(known: Map<K, V>, key: K, read: () => V): V {
  let value = known.get(key);
  if (value === undefined) {
    value = read();
    known.set(key, value);
  }
  return value;
}
