import { IncrementalMarkdown } from '../../../renderer/lib/incremental-markdown.ts';
import type { MarkdownNode } from '../../../renderer/lib/markdown.ts';

/** The tree of a text that comes all at once. */
export const parseMarkdown = (text: string): MarkdownNode[] => new IncrementalMarkdown().update(text);
