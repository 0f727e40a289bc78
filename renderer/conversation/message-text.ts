/**
 * The readable text of a message, without Markdown's marks: its runs of text, each on its own. It must match
 * what MarkdownBlocks, Inline and StepRow draw, so that matches are found there. Formulas aren't included, nor what is being asked (ApprovalCard).
 */
import { inFull } from '../../shared/approval-request.ts';
import type { Message, Step } from '../../shared/api/message.ts';
import { replyParts } from '../../shared/reply-parts.ts';
import { visible } from '../../shared/visible.ts';
import { isPendingStep } from '../chats/approval-words.ts';
import { drawing } from '../markdown/drawing.ts';
import { withoutColours } from '../lib/terminal-colours.ts';
import { splitFileBlocks } from '../chats/file-blocks.ts';
import { IncrementalMarkdown } from '../markdown/incremental-markdown.ts';
import {
  asNodes,
  DEEPEST_NESTING,
  isBlock,
  shownText,
  type LexedBlocks,
  type MarkdownNode,
} from '../markdown/markdown.ts';

/** The runs of text of a message. As costly as parsing it; long texts are parsed in the drawing thread. */
export async function textRuns({
  role,
  content,
  steps,
  reasoning = '',
}: Pick<Message, 'role' | 'content' | 'steps' | 'reasoning'>): Promise<string[]> {
  if (role === 'user') {
    const { text, files } = splitFileBlocks(content);
    return [withoutColours(text), ...files.map((file) => file.text)].filter((run) => run !== '');
  }
  const lex = (text: string): Promise<LexedBlocks | null> => drawing.draw({ kind: 'blocks', text });
  const markdownRuns = async (text: string): Promise<string[]> => {
    const parser = new IncrementalMarkdown((part) => drawing.known({ kind: 'blocks', text: part }));
    return runsOf(parser.update(text) ?? (await parser.updateElsewhere(text, lex)));
  };
  const runs = await markdownRuns(reasoning);
  for (const part of replyParts(content, steps))
    runs.push(...part.steps.flatMap(stepRuns), ...(await markdownRuns(part.text)));
  return runs;
}

function stepRuns(step: Step): string[] {
  if (isPendingStep(step)) return [];
  const { input, output, error = visible(inFull(output)) } = step;
  return [visible(inFull(input)), error].filter((run) => run !== '');
}

/** The start of it as one plain line of up to that many characters, cut at a word if one ends nearby. */
export function plainBeginningOf(content: string, most: number): string {
  // Marks and addresses take room, too; a longer text isn't needed.
  const text = runsOf(new IncrementalMarkdown().update(content.slice(0, 4 * most)) ?? []).join(' ');
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most && content.length <= 4 * most) return line;
  const cut = line.slice(0, most);
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}

function runsOf(nodes: readonly MarkdownNode[]): string[] {
  const runs = new Runs();
  addBlocks(nodes, 0, runs);
  runs.end();
  return runs.all;
}

class Runs {
  readonly all: string[] = [];
  #open = '';

  add(text: string): void {
    this.#open += text;
  }

  /** The next text is shown apart from what came before. */
  end(): void {
    if (this.#open !== '') this.all.push(this.#open);
    this.#open = '';
  }

  addAlone(text: string): void {
    this.end();
    this.add(text);
    this.end();
  }
}

function addBlocks(nodes: readonly MarkdownNode[], depth: number, runs: Runs): void {
  for (const node of nodes) {
    if (depth > DEEPEST_NESTING) runs.addAlone(node.raw);
    else addBlock(node, depth, runs);
  }
}

function addBlock(node: MarkdownNode, depth: number, runs: Runs): void {
  switch (node.type) {
    case 'space':
    case 'def':
      return;
    case 'paragraph':
    case 'heading':
    case 'table':
      for (const { tokens } of node.type === 'table' ? [node.header, ...node.rows].flat() : [node]) {
        runs.end();
        addInline(asNodes(tokens), 0, runs);
      }
      break;
    case 'code':
      runs.addAlone(node.text.replace(/\n$/, ''));
      return;
    case 'blockquote':
    case 'footnote':
    case 'details':
    case 'around':
    case 'list':
      runs.end();
      if (node.type === 'details') addInline(asNodes(node.summary), 0, runs);
      for (const { tokens } of node.type === 'list' ? node.items : [node]) {
        runs.end();
        addBlocks(asNodes(tokens), depth + 1, runs);
      }
      break;
    case 'html':
      runs.addAlone(node.text.trimEnd());
      return;
    case 'maths':
    case 'hr':
      break;
    case 'text':
      if (node.tokens) addInline(asNodes(node.tokens), 0, runs);
      else runs.add(shownText(node.text));
      return;
    default:
      addInline([node], 0, runs);
      return;
  }
  runs.end();
}

function addInline(nodes: readonly MarkdownNode[], depth: number, runs: Runs): void {
  for (const node of nodes) {
    if (depth > DEEPEST_NESTING) runs.add(node.raw);
    else if (node.type === 'br' || node.type === 'maths' || node.type === 'checkbox') runs.end();
    else if (node.type === 'html' || node.type === 'codespan') runs.add(node.text);
    else if (node.type === 'image')
      runs.add(shownText(node.text) || (node.href.startsWith('data:') ? '' : node.href));
    else if (isBlock(node)) addBlock(node, depth, runs);
    else if ('tokens' in node && asNodes(node.tokens).length > 0)
      addInline(asNodes(node.tokens), depth + 1, runs);
    else if ('text' in node) runs.add(node.type === 'link' ? node.text : shownText(node.text));
  }
}
