/** What Parley uses of html-to-text, which brings no types of its own. */
declare module 'html-to-text' {
  /** A node of a page; what isn't an element has neither name nor children. */
  interface Element {
    name: string;
    children?: Element[];
  }

  /** Puts text together. */
  interface Builder {
    openBlock(options?: { leadingLineBreaks?: number }): void;
    closeBlock(options?: { trailingLineBreaks?: number }): void;
    addLiteral(text: string): void;
    openTable(): void;
    openTableRow(): void;
    openTableCell(): void;
    closeTableCell(): void;
    closeTableRow(): void;
    closeTable(options: { tableToString: (rows: { text: string }[][]) => string }): void;
  }

  /** Gives an element to the builder; `walk` does what is usual with its children. */
  type Formatter = (
    element: Element,
    walk: (children: Element[] | undefined, builder: Builder) => void,
    builder: Builder,
  ) => void;

  /** How elements that a selector names become text. */
  interface Selector {
    selector: string;
    /** One of the library's ways, e.g. `skip`, or of `formatters`. */
    format?: string;
    options?: Readonly<Record<string, unknown>>;
  }

  /** How a page becomes text. */
  interface Options {
    wordwrap?: number | false;
    limits?: { maxDepth?: number; maxInputLength?: number };
    formatters?: Readonly<Record<string, Formatter>>;
    selectors?: readonly Selector[];
  }

  /** Makes a function that turns HTML into text. */
  export function compile(options: Options): (html: string) => string;
}
