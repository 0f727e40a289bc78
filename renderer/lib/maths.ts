/**
 * Draws formulas. The typesetter is a chunk of its own with its styles and fonts, fetched with the first formula. It builds
 * elements, never a string of HTML, and its options leave it nothing that could load, link or run anything.
 */
import type katexModule from 'katex';

type Katex = typeof katexModule;

/** Largest size a formula may ask for, in ems, and how much its macros may expand to. */
const MAX_SIZE_EM = 20;
const MAX_EXPANSIONS = 1_000;

/** Beyond this many characters a formula is shown as it was written. */
const LONGEST_DRAWN = 4_000;

let katex: Katex | null = null;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  loading ??= Promise.all([import('katex'), import('katex/dist/katex.min.css')]).then(
    ([module]) => {
      katex = module.default;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** Draws a formula into an element; resolves with whether that worked. The element is left alone when not. */
export async function drawMaths(element: HTMLElement, tex: string, display: boolean): Promise<boolean> {
  if (!katex) await load();
  return drawMathsNow(element, tex, display);
}

/** As {@link drawMaths}, at once; `false` also while the typesetter isn't there yet. */
export function drawMathsNow(element: HTMLElement, tex: string, display: boolean): boolean {
  if (!katex || tex.length > LONGEST_DRAWN) return false;
  const drawing = document.createElement('span');
  try {
    katex.render(tex, drawing, {
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
    return false;
  }
  element.replaceChildren(...drawing.childNodes);
  return true;
}
