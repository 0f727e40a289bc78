/** The pasted files; none if there is text as well, as from spreadsheets: it is pasted as text. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  return clipboardData?.types.includes('text/plain') === false ? [...clipboardData.files] : [];
}
