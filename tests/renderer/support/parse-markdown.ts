import { IncrementalMarkdown } from '../../../renderer/markdown/incremental-markdown.ts';
import { lexBlocks, type MarkdownNode } from '../../../renderer/markdown/markdown.ts';

/** The tree of a text that comes all at once, however long that takes. */
export const parseMarkdown = (text: string): MarkdownNode[] =>
  new IncrementalMarkdown(lexBlocks).update(text) ?? [];
