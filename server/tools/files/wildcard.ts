/**
 * Whether a name fits a pattern with `*` (anything) and `?` (one character); without either, whether the name holds it.
 * Capitals make no difference. It takes time in proportion to both lengths at most, unlike a regular expression made of a
 * stranger's pattern.
 */
export function fitsPattern(name: string, pattern: string): boolean {
  const text = Array.from(name.toLowerCase());
  const wanted = Array.from(pattern.toLowerCase());
  if (!wanted.includes('*') && !wanted.includes('?'))
    return name.toLowerCase().includes(pattern.toLowerCase());
  let at = 0;
  let next = 0;
  // The last star, and how much of the name it has taken so far.
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    const sign = wanted[next];
    if (sign === '*') {
      star = next;
      taken = at;
      next += 1;
    } else if (sign !== undefined && (sign === '?' || sign === text[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      taken += 1;
      at = taken;
      next = star + 1;
    } else {
      return false;
    }
  }
  return wanted.slice(next).every((sign) => sign === '*');
}
