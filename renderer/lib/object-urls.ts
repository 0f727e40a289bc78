/** How long the browser may take to read from an object URL, in milliseconds. */
const READ_MS = 30_000;

/** Revokes an object URL that is no longer used, once the browser must have read it. */
export function revokeSoon(url: string): void {
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}
