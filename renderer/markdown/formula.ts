/**
 * Sets formulas, for the drawing thread. The typesetter builds elements, never a string of HTML; a thread has none, so it is
 * given a stand-in that notes what it builds, and the page builds the same. Its options leave it nothing that could load, link
 * or run anything.
 */
import katex from 'katex';

/** An element, or a text, of a formula that was set. */
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

/** Largest size a formula may ask for, in ems, and how much its macros may expand to. */
const MAX_SIZE_EM = 20;
const MAX_EXPANSIONS = 1_000;
/** Beyond this many characters a formula is shown as it was written. */
const LONGEST_DRAWN = 4_000;

/** Formulas have no use for macros of their own, and a few of them that double each other fill any memory. */
const DEFINES = /\\(?:[egx]?def|let|futurelet|global|long|(?:new|renew|provide)command)(?![a-zA-Z])/;

/** As much of an element as the typesetter uses. */
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

/** What a formula looks like; null: it can't be drawn. */
export function drawFormula(tex: string, display: boolean): FormulaNode[] | null {
  if (tex.length > LONGEST_DRAWN || DEFINES.test(tex)) return null;
  const drawing = new StandIn('span');
  Object.assign(globalThis, { document: standInDocument });
  try {
    katex.render(tex, drawing as unknown as HTMLElement, {
      displayMode: display,
      // What can't be drawn is shown as it was written; the library's own way sets style attributes, which the page's
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
  return drawing.children.map(asPlain);
}

/** Without the stand-in's own ways: only plain data goes from thread to thread. */
const asPlain = (node: FormulaNode): FormulaNode =>
  typeof node === 'string'
    ? node
    : {
        namespace: node.namespace,
        name: node.name,
        attributes: node.attributes,
        style: node.style,
        children: node.children.map(asPlain),
      };
