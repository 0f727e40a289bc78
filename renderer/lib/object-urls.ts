/** How long the browser may take to read what it was given a link to, in milliseconds. */
const READ_MS = 30_000;

/** Revokes a link to something in memory that isn't used any more, once the browser can't be reading from it. */
export function revokeSoon(url: string): void {
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}
