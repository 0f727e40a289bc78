import { drawing } from './drawing.ts';
import { IncrementalMarkdown } from './incremental-markdown.ts';
import { closeOpenMarks, isProse, withoutBareMarks } from './live-markdown.ts';
import type { MarkdownNode } from './markdown.ts';

/** A text that is drawn as Markdown, and may grow. Whatever would block the page is parsed in the drawing thread. */
export class MarkdownText {
  readonly #parser = new IncrementalMarkdown((text) => drawing.known({ kind: 'blocks', text }));
  /** Requests to the drawing thread so far, and its answers. */
  #sent = 0;
  #answered = $state(0);

  /** Its tree, as far as it is known. While `live`, open ends are drawn as they will most likely turn out. */
  nodesOf(text: string, live: boolean): MarkdownNode[] {
    const shown = live ? withoutBareMarks(text) : text;
    if (this.#sent > this.#answered) return this.#parser.soFar(shown);
    const tree = this.#parser.update(shown);
    if (tree === null) {
      void this.#send(shown, live);
      return this.#parser.soFar(shown);
    }
    const closed = live && isProse(tree.at(-1)) ? closeOpenMarks(shown) : shown;
    return closed === shown ? tree : (this.#parser.update(closed) ?? tree);
  }

  async #send(text: string, live: boolean): Promise<void> {
    this.#sent += 1;
    await this.#parser.updateElsewhere(text, (part) => drawing.draw({ kind: 'blocks', text: part }, live));
    this.#answered += 1;
  }
}
