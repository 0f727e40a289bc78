import { asNodes, type MarkdownNode } from '../../../renderer/markdown/markdown.ts';

const insideOf = (node: MarkdownNode): MarkdownNode[] => [
  ...('items' in node ? node.items.flatMap(({ tokens }) => asNodes(tokens)) : []),
  ...('rows' in node ? [node.header, ...node.rows].flat().flatMap(({ tokens }) => asNodes(tokens)) : []),
  ...('summary' in node ? asNodes(node.summary) : []),
  ...('tokens' in node ? asNodes(node.tokens) : []),
];

function textOf(node: MarkdownNode): string {
  const inside = insideOf(node);
  return inside.length > 0 ? inside.map(textOf).join('') : 'text' in node ? node.text : '';
}

function partsOf(node: MarkdownNode): string[] {
  const inside = insideOf(node).flatMap(partsOf);
  switch (node.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [`${node.type}:${textOf(node)}`, ...inside];
    case 'codespan':
      return [`code:${node.text}`];
    case 'link':
      return [`link:${node.href}`, ...inside];
    case 'maths':
      return [`${node.display ? 'block-maths' : 'maths'}:${node.text}`];
    case 'code':
      return [`fence:${node.text}`];
    case 'element':
    case 'around':
      return [`${node.name}:${textOf(node)}`, ...inside];
    case 'details':
      return [`details:${asNodes(node.summary).map(textOf).join('')}`, ...inside];
    case 'footnote':
      return [`footnotes:${textOf(node)}`, ...inside];
    case 'blockquote':
      return [node.alert ? `alert:${node.alert} ${textOf(node)}` : `quote:${textOf(node)}`, ...inside];
    case 'heading':
      return [`heading:${textOf(node)}`, ...inside];
    case 'image':
      return [`image:${node.href}`];
    case 'hr':
      return ['rule'];
    case 'br':
      return node.raw.startsWith('<') ? ['break'] : [];
    case 'list':
      return node.raw.startsWith('<') ? [`list:${node.items.length}`, ...inside] : inside;
    case 'table':
      return node.raw.startsWith('<')
        ? [`table:${node.header.length}x${node.rows.length + 1}`, ...inside]
        : inside;
    case 'html':
      return node.text === '' ? [] : [`html:${node.text}`];
    default:
      return inside;
  }
}

/** What is marked up in a tree, sorted: `kind:text`. */
export const shownParts = (nodes: readonly MarkdownNode[]): string[] => nodes.flatMap(partsOf).sort();
