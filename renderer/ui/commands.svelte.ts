import type { IconName } from './icons.ts';

/** Something a person can have done: listed in the palette, and by its shortcut anywhere. */
export interface Command {
  /** Unique, e.g. `chat.rename`. */
  id: string;
  label: string;
  /** Under what it stands in the palette and the help sheet; of tools there are so many that they have to be looked for. */
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
  /** Other words it is found by. */
  keywords?: string;
  /** Whether it can be done now; always unless given. */
  isAvailable?: () => boolean;
  run: () => void | Promise<void>;
}

/** All commands that parts of the window offer at the moment. */
export class Commands {
  // Kept apart from what is drawn: where an effect is being taken down, state tells what it was before the change, and a
  // set that another effect has just offered would be lost.
  #sets: readonly (readonly Command[])[] = [];
  #shown = $state.raw<readonly (readonly Command[])[]>([]);

  /** In the order they were offered. */
  readonly all = $derived(this.#shown.flat());

  /** Those that can be done now. */
  get available(): Command[] {
    return this.all.filter((command) => command.isAvailable?.() ?? true);
  }

  /** Offers commands until what this returns is called: meant for `$effect(() => commands.offer([...]))`. */
  offer(set: readonly Command[]): () => void {
    this.#sets = [...this.#sets, set];
    this.#shown = this.#sets;
    return () => {
      this.#sets = this.#sets.filter((other) => other !== set);
      this.#shown = this.#sets;
    };
  }
}
