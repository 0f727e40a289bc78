import { expect, test } from 'vitest';
import { drawFormula, type FormulaNode } from '../../../renderer/markdown/formula.ts';

const all = (nodes: readonly FormulaNode[]): FormulaNode[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [node] : [node, ...all(node.children)]));

test('a formula comes as plain elements, for the eye and for screen readers', () => {
  const nodes = drawFormula('\\frac{a}{\\sqrt{b}}', true);
  expect(structuredClone(nodes)).toEqual(nodes);
  const names = all(nodes ?? []).map((node) => (typeof node === 'string' ? 'text' : node.name));
  expect(names).toEqual(expect.arrayContaining(['span', 'math', 'mfrac', 'svg', 'path', 'text']));
  const styles = all(nodes ?? []).flatMap((node) =>
    typeof node === 'string' ? [] : Object.keys(node.style),
  );
  expect(styles).toContain('height');
});

test('a formula that defines macros isn’t drawn: a few that double each other fill any memory', () => {
  for (const name of ['def', 'gdef', 'edef', 'xdef', 'global\\def', 'long\\def'])
    expect(drawFormula(`\\${name}\\a#1{#1}\\a{x}`, false), name).toBeNull();
  for (const name of ['newcommand', 'renewcommand', 'providecommand'])
    expect(drawFormula(`\\${name}{\\R}{x}\\R`, false), name).toBeNull();
  expect(drawFormula('\\let\\a=x \\a', false)).toBeNull();
  expect(drawFormula('\\futurelet\\a xy', false)).toBeNull();
  const doubling = '\\def\\a#1{#1#1}' + '\\a{'.repeat(60) + 'x' + '}'.repeat(60);
  expect(drawFormula(doubling, false)).toBeNull();
  // Names that only begin like that are something else.
  expect(drawFormula('\\left( \\leq \\lfloor x \\longrightarrow y', false)).toBeNull();
  expect(drawFormula('a \\leq b \\longrightarrow \\deg x', false)).not.toBeNull();
});

test('what is wrong or too long stays as it was written', () => {
  expect(drawFormula('\\frac{a', false)).toBeNull();
  expect(drawFormula('x'.repeat(5_000), false)).toBeNull();
});

test('labels and environments that the typesetter lacks are drawn, and kept in the source', () => {
  for (const tex of [
    'x = 1 \\label{eq:1} \\tag{1}',
    '\\begin{eqnarray}a &=& b \\\\ c &=& d\\end{eqnarray}',
    '\\begin{multline*} a \\\\ b \\end{multline*}',
  ])
    expect(all(drawFormula(tex, true) ?? []), tex).toContain(tex);
});

test.each([
  '\\begin{eqnarray}a &=& b \\\\ c &=& d\\end{eqnarray}',
  '\\begin{multline} a \\\\ b \\end{multline}',
])('%s has its signs, or its lines, in the middle', (tex) => {
  const classes = all(drawFormula(tex, true) ?? []).map((node) =>
    typeof node === 'string' ? '' : node.attributes['class'],
  );
  expect(classes).toContain('col-align-c');
});
