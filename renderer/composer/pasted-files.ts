/** The files that are pasted; none where a text comes with them, as from spreadsheets: it stays text. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  return clipboardData?.types.includes('text/plain') === false ? [...clipboardData.files] : [];
}
