/** A CSV text without the first line that tells Excel its delimiter, and that delimiter; empty: it has to be found out. */
export function csvText(text: string): { rows: string; delimiter: string } {
  const [line = '', delimiter = ''] = /^"?sep=(.)"?(?:\r\n?|\n)/i.exec(text) ?? [];
  return { rows: text.slice(line.length), delimiter };
}
