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
  ['The $n$th, $(n+1)$th, $k^2$th and $\\ell$th of the $x_i$s', ['n', '(n+1)', 'k^2', '\\ell', 'x_i']],
  ['第$n$th 项, $k$NN in $2$D', ['n', 'k', '2']],
  ['p$<$0.05, n$\\geq$30 and 5$\\%$', ['<', '\\geq', '\\%']],
  ['H$_2$O, CO$_2$, Fe$_2O_3$ and SO$_4^{2-}$', ['_2', '_2', '_2O_3', '_4^{2-}']],
  ['5$\\times$5, 5$\\mu$m, 2$\\pi r$ and k$\\Omega$', ['\\times', '\\mu', '\\pi r', '\\Omega']],
  ['10$^{-3}$ mol, $^{14}$C, $90^\\circ$', ['^{-3}', '^{14}', '90^\\circ']],
  ['| $a$th | H$_2$O |\n|--|--|\n| 5$\\times$5 | b |', ['a', '_2', '\\times']],
  ['$1 - p$, $20 - x$, $1/n$ and $1/2$', ['1 - p', '20 - x', '1/n', '1/2']],
  ['So:\n$$\n\nx = 1\n\n$$\nand $y$', ['!x = 1', 'y']],
  ['\\[\n\n\\text{rate of return}\n\n\\]', ['!\\text{rate of return}']],
  ['- $$\n  a\n\n  c\n  $$', ['!\\begin{gathered}a \\\\\nc\\end{gathered}']],
  ['```math\nx\n\ny^2\n```', ['!x\n\ny^2']],
  ['\\begin{eqnarray} a &=& b \\end{eqnarray}', ['!\\begin{eqnarray} a &=& b \\end{eqnarray}']],
  ['\\begin{multline*} a \\\\ b \\end{multline*}', ['!\\begin{multline*} a \\\\ b \\end{multline*}']],
  ['$$\n\nThis one is left open.\n\n$$\ny\n$$', ['!y']],
  ['With $ \\alpha $, $ x^2 + 1 $ and $ \\text{for all} $', ['\\alpha', 'x^2 + 1', '\\text{for all}']],
  ['- \\begin{cases} a & b \\end{cases}', ['!\\begin{cases} a & b \\end{cases}']],
])('%j holds %j', (text, expected) => {
  expect(formulas(text)).toEqual(expected);
});

test.each([
  'between $5 and $6',
  'from $5-$6 to $10',
  'it costs $5, or 6$ here',
  'US$5 and US$6',
  'US$20 to CA$30',
  'costs $5–$10, $5 - $10 or $5 - 10$',
  'A$AP and Ke$ha',
  '$1,000 vs 2$',
  'costs $5 or 6$s, $5/h, $6/h or $5/h-$6/h',
  '$HOME/$USER, $a$b, $dir/$s and ${A}_$B',
  '$_GET and $_POST',
  'C$\\Users to D$\\Users, \\\\pc\\C$\\a, \\\\pc\\D$\\b',
  'echo $HOME and $PATH',
  '$a$name$b, $a$12$c and $1$2',
  '$a$name and $b$ok, =VLOOKUP($A2,$D$2:$E$9,2) and $A$1:$B$10',
  '${a}${b}, ${a}/${b}, "${a.b}-${c}", "$a $b" and "${c}"',
  'jQuery $(a)+$(b), $(date)-$(id), $(dirname $0)/$(basename $1), $@ and "$@"',
  'cost ($) and price ($), [$]$',
  'PATH=$HOME/bin:$PATH',
  'a lone $ and another $ here',
  'write \\begin{align} and \\end{align} around it',
  'a \\begin{cases} that never ends & so on',
  '`\\begin{cases} a & b \\end{cases}` is code',
  'a \\begin{verbatim} a & b \\end{verbatim}',
  '`$x$` is code',
  '```\n$x$\n```',
  '$a `b$` c',
  'It is 25$^\\circ$C or 77 $^{\\circ}$F.',
  '\\$x\\$',
  'see \\[note\\] here',
  '$$never closed\n\nand a new paragraph $$',
  '$$\nx\n\n这是正文。\n\n$$\n\n',
  '$ x $',
  '$ ls my_file\n$ cat x^2',
  'a$ \\alpha $, $ see \\alpha and on $ and $ 5 or 6 $',
  '$$$$',
  '\\(\\)',
])('%j holds no maths', (text) => {
  expect(formulas(text)).toEqual([]);
});
