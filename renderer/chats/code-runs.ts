/** A fence, perhaps in a list or a quote, to its end or the text's; or a run of backticks to the next of its length. */
const CODE =
  /^[ \t>]*(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(?:[^]*?\n[ \t>]*\1[`~]*[ \t]*$|[^]*)|(?<![`\\])(`+)(?!`)(?:[^\n]|\n(?![ \t>]*(?:\n|```|~~~)))*?[^`]\2(?!`)/gm;

/** A person's text in parts, those in backticks or fences marked as code. Together they are the text. */
export function codeRuns(text: string): { text: string; isCode: boolean }[] {
  const runs: { text: string; isCode: boolean }[] = [];
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    runs.push({ text: text.slice(from, index), isCode: false }, { text: code, isCode: true });
    from = index + code.length;
  }
  return [...runs, { text: text.slice(from), isCode: false }].filter((run) => run.text !== '');
}
