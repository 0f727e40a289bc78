/**
 * Sets formulas, in the drawing thread. The typesetter builds elements, never a string of HTML; a thread has no document, so the
 * typesetter gets a stand-in that records what it builds, and the page builds the same. Its options allow nothing that could load,
 * link or run anything.
 */
import katex from 'katex';
import 'katex/contrib/mhchem';

/** An element, or a text, of a formula. */
export type FormulaNode = string | FormulaElement;
export interface FormulaElement {
  /** Empty: HTML. */
  namespace: string;
  name: string;
  attributes: Record<string, string>;
  /** By the names that scripts use, e.g. `marginRight`. */
  style: Record<string, string>;
  children: FormulaNode[];
}

/** Largest size in a formula, in ems, and how far its macros may expand. */
const MAX_SIZE_EM = 20;
const MAX_EXPANSIONS = 1_000;
/** A longer formula is shown as it was written. */
const LONGEST_DRAWN = 4_000;

/** Formulas don't need their own macros, and a few that double each other fill any memory. */
const DEFINES = /\\(?:[egx]?def|let|futurelet|global|long|(?:new|renew|provide)command)(?![a-zA-Z])/;

/** What the typesetter lacks, in what it has: `\label`, for which there is no use here, and two environments. */
const withKnownNames = (tex: string): string =>
  tex
    .replace(/\\label\{[^{}]*\}/g, '')
    .replace(/\\begin\{eqnarray\*?\}/g, '\\begin{array}{rcl}')
    .replace(/\\end\{eqnarray\*?\}/g, '\\end{array}')
    .replace(/\\(begin|end)\{multline\*?\}/g, '\\$1{gather*}');

/** The part of an element that the typesetter uses. */
class StandIn implements FormulaElement {
  readonly name: string;
  readonly namespace: string;
  attributes: Record<string, string> = {};
  style: Record<string, string> = {};
  children: FormulaNode[] = [];

  constructor(name: string, namespace = '') {
    this.name = name;
    this.namespace = namespace;
  }

  set className(classes: string) {
    this.attributes['class'] = classes;
  }

  set textContent(_text: string) {
    this.children = [];
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = String(value);
  }

  appendChild(child: FormulaNode): void {
    if (child instanceof StandIn && child.name === '') this.children.push(...child.children);
    else this.children.push(child);
  }
}

const standInDocument = {
  createElement: (name: string) => new StandIn(name),
  createElementNS: (namespace: string, name: string) => new StandIn(name, namespace),
  createDocumentFragment: () => new StandIn(''),
  createTextNode: (text: string) => text,
};

/** The elements of a formula; null: it can't be drawn. */
export function drawFormula(tex: string, display: boolean): FormulaNode[] | null {
  if (tex.length > LONGEST_DRAWN || DEFINES.test(tex)) return null;
  const drawing = new StandIn('span');
  Object.assign(globalThis, { document: standInDocument });
  try {
    katex.render(withKnownNames(tex), drawing as unknown as HTMLElement, {
      displayMode: display,
      // What can't be drawn is shown as written; the library's own error display sets style attributes, which the page's
      // policy forbids. The macros are for the same reason.
      throwOnError: true,
      macros: { '\\pmb': '\\boldsymbol{#1}', '\\fcolorbox': '\\@secondoftwo{#1}{\\colorbox{#2}{#3}}' },
      errorColor: 'inherit',
      trust: false,
      strict: 'ignore',
      maxSize: MAX_SIZE_EM,
      maxExpand: MAX_EXPANSIONS,
      output: 'htmlAndMathml',
    });
  } catch {
    return null;
  }
  return drawing.children.map((node) => asPlain(node, tex));
}

/** Without the stand-in's methods: only plain data passes between threads. The annotation is the formula as it was written. */
const asPlain = (node: FormulaNode, tex: string): FormulaNode =>
  typeof node === 'string'
    ? node
    : {
        namespace: node.namespace,
        name: node.name,
        attributes: node.attributes,
        style: node.style,
        children: node.name === 'annotation' ? [tex] : node.children.map((child) => asPlain(child, tex)),
      };
