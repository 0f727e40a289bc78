import type { IconName } from './icons.ts';

/** Something a person can run: listed in the palette, and by its shortcut anywhere. */
export interface Command {
  /** Unique, e.g. `chat.rename`. */
  id: string;
  label: string;
  /** Its heading in the palette and the help sheet; there are so many tools that they only appear in searches. */
  group: 'chat' | 'go' | 'view' | 'help' | 'tools';
  /**
   * e.g. `mod+k`, `mod+shift+o`, `?`, `escape`. `mod` is Cmd on a Mac and Ctrl elsewhere. One without `mod` or `alt` does
   * nothing while text is being typed.
   */
  shortcut?: string;
  /** Shown before it in the palette. */
  icon?: IconName;
  /** Other shortcuts that do the same. */
  aliases?: readonly string[];
  /** Other words to find it by. */
  keywords?: string;
  /** Whether it is available now; always unless given. */
  isAvailable?: () => boolean;
  run: () => void | Promise<void>;
}

/** Makes the commands of a group. */
export const commandsIn =
  (group: Command['group']) =>
  (
    id: string,
    icon: IconName,
    label: string,
    run: Command['run'],
    more: Pick<Command, 'shortcut' | 'aliases' | 'keywords' | 'isAvailable'> = {},
  ): Command => ({ id, icon, label, group, run, ...more });

/** All commands that parts of the window currently offer. */
export class Commands {
  // Kept apart from what is drawn: while an effect is torn down, state returns its value from before the change, and a
  // set that another effect has just offered would be lost.
  #sets: readonly (readonly Command[])[] = [];
  #shown = $state.raw<readonly (readonly Command[])[]>([]);

  /** In the order they were offered. */
  readonly all = $derived(this.#shown.flat());

  /** Those available now. */
  get available(): Command[] {
    return this.all.filter((command) => command.isAvailable?.() ?? true);
  }

  /** Offers commands. Returns a function that withdraws them: for `$effect(() => commands.offer([...]))`. */
  offer(set: readonly Command[]): () => void {
    this.#sets = [...this.#sets, set];
    this.#shown = this.#sets;
    return () => {
      this.#sets = this.#sets.filter((other) => other !== set);
      this.#shown = this.#sets;
    };
  }
}
