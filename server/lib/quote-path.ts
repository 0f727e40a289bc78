/** A path as one argument in a command line of this system. */
export const quotePath = (path: string, platform: NodeJS.Platform = process.platform): string =>
  platform === 'win32'
    ? // Before a quote, Windows takes a backslash for its escape.
      `"${path.replace(/\\$/, '\\\\')}"`
    : `'${path.replaceAll("'", String.raw`'\''`)}'`;
