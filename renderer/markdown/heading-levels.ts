import type { MarkdownNode } from './markdown.ts';

/** The heading above all messages is the page's, level 1. */
const FIRST_LEVEL = 2;

/**
 * The level of each heading on the page, by node. Writers jump from `#` to `####` or start with `###`; an outline that
 * skips levels misleads people who navigate by headings, so levels follow the nesting.
 */
export function headingLevels(nodes: readonly MarkdownNode[]): Map<MarkdownNode, number> {
  const levels = new Map<MarkdownNode, number>();
  const open: number[] = [];
  for (const node of nodes) {
    if (node.type !== 'heading') continue;
    while ((open.at(-1) ?? 0) >= node.depth) open.pop();
    levels.set(node, Math.min(6, FIRST_LEVEL + open.length));
    open.push(node.depth);
  }
  return levels;
}
