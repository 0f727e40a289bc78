/**
 * The origin of what a person typed or pasted, in the form that browsers send; null if it has none. A missing
 * scheme is taken as https, and a path is dropped: people paste the address of the page.
 */
export function readOrigin(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || /[\s*]/.test(text)) return null;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb && url.hostname !== '' && url.username === '' ? url.origin : null;
}
