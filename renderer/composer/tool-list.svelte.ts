import type { ToolInfo } from '../../shared/api/agent.ts';
import { rank } from '../lib/fuzzy.ts';
import { words } from '../lib/words/index.ts';
import type { Tools } from '../models/tools.svelte.ts';
import type { Command } from '../ui/commands.svelte.ts';
import { toolQuery } from './tool-form.ts';

/** A tool as it is listed. */
export interface ListedTool {
  tool: ToolInfo;
  label: string;
  keywords: string;
}

/** The tools that are listed while the message is a slash and the beginning of a name. */
export class ToolList {
  /** The tool whose form is open. */
  chosen = $state.raw<ToolInfo | null>(null);
  /** `shown` by what is typed. `closed` by a person: until the search begins anew. */
  #state: 'idle' | 'shown' | 'closed' = $state('idle');
  #at = $state(0);
  readonly #tools: Tools;
  readonly #text: () => string;

  constructor(tools: Tools, text: () => string) {
    this.#tools = tools;
    this.#text = text;
  }

  readonly query = $derived.by(() => toolQuery(this.#text()));
  readonly entries: readonly ListedTool[] = $derived.by(() =>
    rank(this.query ?? '', listed(this.#tools.items)),
  );
  /** It is shown. */
  readonly open = $derived.by(() => this.query !== null && this.#state === 'shown');
  /** The entry that Enter chooses. */
  readonly marked = $derived.by(() =>
    this.open ? this.entries[Math.min(this.#at, this.entries.length - 1)] : undefined,
  );

  /** The message has changed. */
  noteInput(): void {
    if (this.query === null) this.#state = 'idle';
    else if (this.query === '' || this.#state === 'idle') this.#state = 'shown';
    if (this.open) void this.#tools.load();
    this.#at = 0;
  }

  /** The focus has left the message box. */
  noteBlur(): void {
    if (this.#state === 'shown') this.#state = 'idle';
  }

  close(): void {
    this.#state = this.query === null ? 'idle' : 'closed';
  }

  mark(index: number): void {
    this.#at = (index + this.entries.length) % Math.max(this.entries.length, 1);
  }

  /** Moves the mark, closes the list or chooses by a key; true: the key has done its work. */
  noteKey(event: KeyboardEvent): boolean {
    if (!this.open || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { marked } = this;
    const at = Math.min(this.#at, this.entries.length - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Escape') this.close();
    else if (marked === undefined) return event.key === 'Enter' && !event.shiftKey && this.#tools.loading;
    else if (to !== undefined) this.mark(to);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) this.chosen = marked.tool;
    else return false;
    return true;
  }
}

const listed = (tools: readonly ToolInfo[]): ListedTool[] =>
  tools.map((tool) => ({
    tool,
    label: tool.title,
    keywords: `${tool.name} ${tool.description}`,
  }));

/** The tools as commands of the palette. */
export const toolCommands = (tools: readonly ToolInfo[], choose: (tool: ToolInfo) => void): Command[] =>
  listed(tools).map(({ tool, label, keywords }) => ({
    id: `tool.${tool.name}`,
    icon: 'command',
    label: words.composer.tools.command(label),
    group: 'tools',
    keywords,
    run: () => choose(tool),
  }));
