/** Each before those that also say its word. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser in words, such as "Firefox on Linux", by its `User-Agent`; empty when that says neither. */
export function browserName(userAgent = ''): string {
  const find = (list: typeof BROWSERS): string | undefined =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter((word) => word !== undefined).join(' on ');
}
