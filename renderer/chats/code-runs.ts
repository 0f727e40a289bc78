const CODE = /(^```[^\n]*\n(?:[^]*?\n```[ \t]*$|[^]*)|`[^`\n]+`)/m;

/** A person's text in parts, those in backticks or fences marked as code. Together they are the text. */
export const codeRuns = (text: string): { text: string; isCode: boolean }[] =>
  text
    .split(CODE)
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((part) => part.text !== '');
