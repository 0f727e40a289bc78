/** Characters (code points) of a text, as the service measures messages. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const high = text.charCodeAt(at);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(at + 1);
    if (!(low >= 0xdc00 && low <= 0xdfff)) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}
