/** What Parley uses of html-to-text, which brings no types of its own. */
declare module 'html-to-text' {
  /** How elements that a selector names become text. */
  interface Selector {
    selector: string;
    /** One of the library's ways, e.g. `skip`. */
    format?: string;
    options?: Readonly<Record<string, unknown>>;
  }

  /** How a page becomes text. */
  interface Options {
    wordwrap?: number | false;
    limits?: { maxDepth?: number; maxInputLength?: number };
    selectors?: readonly Selector[];
  }

  /** Makes a function that turns HTML into text. */
  export function compile(options: Options): (html: string) => string;
}
