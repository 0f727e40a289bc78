const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*rehearsal[ \t]*$/;

/**
 * The text of a message's first fenced block `rehearsal`, without its fence; null when it has none. As in Markdown, the
 * fence ends with one of its own kind that is at least as long, so that a script may hold shorter ones, or with the text.
 */
export function findScript(message: string): string | null {
  const lines = message.split(/\r\n|[\r\n]/);
  const start = lines.findIndex((line) => OPENING.test(line));
  if (start < 0) return null;
  const fence = OPENING.exec(lines[start] ?? '')?.[1] ?? '';
  const isEnd = (line: string): boolean => {
    const mark = line.trim();
    return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length);
  };
  const after = lines.slice(start + 1);
  const end = after.findIndex(isEnd);
  return after.slice(0, end < 0 ? after.length : end).join('\n');
}
