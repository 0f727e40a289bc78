import { expect, test } from 'vitest';
import type { MarkdownNode } from '../../../renderer/markdown/markdown.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';

/** Every formula in a text, `!` before those on a line of their own. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(visit);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const node = value as MarkdownNode;
    if (node.type === 'maths') found.push(`${node.display ? '!' : ''}${node.text}`);
    else Object.values(value).forEach(visit);
  };
  visit(parseMarkdown(text));
  return found;
}

test.each([
  ['Then $x^2$ holds.', ['x^2']],
  ['($a$, $b$)', ['a', 'b']],
  ['$5$ apples', ['5']],
  ['$5 + x$', ['5 + x']],
  ['\\(a + b\\) and \\(c\\)', ['a + b', 'c']],
  ['$$e = mc^2$$', ['!e = mc^2']],
  ['So:\n$$\na\n- b\n= c\n$$\nand on', ['!a\n- b\n= c']],
  ['So:\n\\[\n\\frac{a}{b}\n\\]\nand on', ['!\\frac{a}{b}']],
  ['It is \\[ a^2 \\] in fact', ['!a^2']],
  ['- item $x$\n- $$y$$', ['x', '!y']],
  ['> $$q$$', ['!q']],
  ['**bold $x$**', ['x']],
  ['| $a$ | b |\n|--|--|\n| $c$ | d |', ['a', 'c']],
  ['*note $a*b$ and $c*d$ here*', ['a*b', 'c*d']],
  ['$\\text{cost } \\$5$', ['\\text{cost } \\$5']],
  ['$x$.', ['x']],
  ['a $x\n= y$ b', ['x\n= y']],
  [
    'So f(x)=\\begin{cases} 1 & x>0 \\\\ 0 & x_1*2 \\end{cases}, and *on*.',
    ['\\begin{cases} 1 & x>0 \\\\ 0 & x_1*2 \\end{cases}'],
  ],
  ['函数f\\begin{pmatrix}a\\\\b+1\\end{pmatrix}是', ['\\begin{pmatrix}a\\\\b+1\\end{pmatrix}']],
  ['It is \\begin{align*} a &= b \\end{align*} then', ['!\\begin{align*} a &= b \\end{align*}']],
  ['- \\begin{cases} a & b \\end{cases}', ['!\\begin{cases} a & b \\end{cases}']],
])('%j holds %j', (text, expected) => {
  expect(formulas(text)).toEqual(expected);
});

test.each([
  'between $5 and $6',
  'from $5-$6 to $10',
  'it costs $5, or 6$ here',
  'US$5 and US$6',
  'echo $HOME and $PATH',
  'PATH=$HOME/bin:$PATH',
  'a lone $ and another $ here',
  'write \\begin{align} and \\end{align} around it',
  'a \\begin{cases} that never ends & so on',
  '`\\begin{cases} a & b \\end{cases}` is code',
  'a \\begin{verbatim} a & b \\end{verbatim}',
  '`$x$` is code',
  '```\n$x$\n```',
  '$a `b$` c',
  '\\$x\\$',
  'see \\[note\\] here',
  '$$never closed\n\nand a new paragraph $$',
  '$ x $',
  '$$$$',
  '\\(\\)',
])('%j holds no maths', (text) => {
  expect(formulas(text)).toEqual([]);
});
