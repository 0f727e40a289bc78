/** The same function, called only once for each argument. */
export function memoized<K, V>(read: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.has(key) ? (known.get(key) as V) : read(key);
    known.set(key, value);
    return value;
  };
}
