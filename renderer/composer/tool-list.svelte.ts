import type { ToolInfo } from '../../shared/api/agent.ts';
import type { Prompt } from '../../shared/api/prompt.ts';
import { rankEntries } from '../lib/fuzzy.ts';
import { words } from '../lib/words/index.ts';
import type { Listed } from '../api/listed.svelte.ts';
import type { Tools } from '../models/tools.svelte.ts';
import { commandsIn, type Command } from '../ui/commands.svelte.ts';

/** A tool or a prompt in the list. */
export interface ListedEntry {
  /** Unique in the list. */
  key: string;
  label: string;
  description: string;
  keywords: string;
  opens: { tool: ToolInfo } | { prompt: Prompt };
}

/** The list of prompts and tools, shown while the message is a slash and the start of a name. */
export class SlashList {
  /** The tool whose form is open. */
  chosen = $state.raw<ToolInfo | null>(null);
  /** The prompt whose form is open. */
  prompt = $state.raw<Prompt | null>(null);
  /** `shown`: by typing. `closed`: by a person, until a new search starts. */
  #state: 'idle' | 'shown' | 'closed' = $state('idle');
  #at = $state(0);
  readonly #tools: Tools;
  readonly #prompts: Pick<Listed<Prompt>, 'items' | 'load'>;
  readonly #text: () => string;
  readonly #onInsert: (text: string, replaces: boolean) => void;

  /** `onInsert` puts a prompt into the message box, replacing the text there or after it. */
  constructor(
    tools: Tools,
    prompts: Pick<Listed<Prompt>, 'items' | 'load'>,
    text: () => string,
    onInsert: (text: string, replaces: boolean) => void,
  ) {
    this.#tools = tools;
    this.#prompts = prompts;
    this.#text = text;
    this.#onInsert = onInsert;
  }

  readonly query = $derived.by(() => toolQuery(this.#text()));
  readonly entries: readonly ListedEntry[] = $derived.by(() =>
    rankEntries(this.query ?? '', [...listedPrompts(this.#prompts.items), ...listedTools(this.#tools.items)]),
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
    // Prompts may have been added elsewhere since.
    if (this.query === '') void this.#prompts.load();
    this.#at = 0;
  }

  /** The focus has left the message box. */
  noteBlur(): void {
    if (this.#state === 'shown') this.#state = 'idle';
  }

  close(): void {
    this.#state = this.query === null ? 'idle' : 'closed';
  }

  choose({ opens }: ListedEntry): void {
    if ('tool' in opens) this.chosen = opens.tool;
    else this.choosePrompt(opens.prompt);
  }

  /** Opens a prompt's form; one without placeholders is inserted at once. */
  choosePrompt(prompt: Prompt): void {
    if (prompt.placeholders.length > 0) this.prompt = prompt;
    else this.insert(prompt.text);
  }

  /** Inserts a prompt's text in place of the slash search. */
  insert(text: string): void {
    this.prompt = null;
    this.close();
    this.#onInsert(text, this.query !== null);
  }

  mark(index: number): void {
    this.#at = (index + this.entries.length) % Math.max(this.entries.length, 1);
  }

  /** Moves the mark, closes the list or chooses an entry; true: the key was handled. */
  noteKey(event: KeyboardEvent): boolean {
    if (!this.open || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { marked } = this;
    const at = Math.min(this.#at, this.entries.length - 1);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (event.key === 'Escape') this.close();
    else if (marked === undefined) return event.key === 'Enter' && !event.shiftKey && this.#tools.loading;
    else if (to !== undefined) this.mark(to);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) this.choose(marked);
    else return false;
    return true;
  }
}

const listedTools = (tools: readonly ToolInfo[]): ListedEntry[] =>
  tools.map((tool) => ({
    key: tool.name,
    label: tool.title,
    description: tool.description,
    keywords: `${tool.name} ${tool.description}`,
    opens: { tool },
  }));

/** How much of a prompt's text is shown in a list, and searched. */
const LISTED_CHARACTERS = 120;

const listedPrompts = (prompts: readonly Prompt[]): ListedEntry[] =>
  prompts.map((prompt) => ({
    key: `prompt-${prompt.id}`,
    label: prompt.name,
    description: `${words.composer.prompts.kind} · ${prompt.text.slice(0, LISTED_CHARACTERS)}`,
    keywords: `${words.composer.prompts.kind} ${prompt.text.slice(0, LISTED_CHARACTERS)}`,
    opens: { prompt },
  }));

const command = commandsIn('tools');

/** The prompts as commands of the palette. */
export const promptCommands = (prompts: readonly Prompt[], choose: (prompt: Prompt) => void): Command[] =>
  prompts.map((prompt) =>
    command(`prompt.${prompt.id}`, 'text', words.composer.prompts.command(prompt.name), () => choose(prompt)),
  );

/** The tools as commands of the palette. */
export const toolCommands = (tools: readonly ToolInfo[], choose: (tool: ToolInfo) => void): Command[] =>
  tools.map((tool) =>
    command(`tool.${tool.name}`, 'command', words.composer.tools.command(tool.title), () => choose(tool), {
      keywords: `${tool.name} ${tool.description}`,
    }),
  );

/** The search text in a message that starts with a slash; null: the message isn't a search. */
export const toolQuery = (text: string): string | null =>
  /^\/(?:tool )?([\p{L}\p{N}_-]*)$/iu.exec(text)?.[1] ?? null;

/** Whether a message is a form of a known tool; the service recognises it by the same shape. */
export function isForm(text: string, tools: readonly Pick<ToolInfo, 'name'>[]): boolean {
  const name = /^\s*\/([a-z][a-z_-]+)(?=\s|$)/i.exec(text)?.[1]?.toLowerCase().replaceAll('-', '_');
  return name === 'tool' || tools.some((tool) => tool.name === name);
}
