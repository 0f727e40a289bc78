import type { Prompt } from '../../shared/api/prompt.ts';
import type { PromptApi, WrittenPrompt } from '../api/prompts.ts';

/** The prompts of the workspace, by name. */
export class Prompts {
  items = $state.raw<readonly Prompt[]>([]);
  loaded = $state(false);
  readonly #api: PromptApi;

  constructor(api: PromptApi) {
    this.#api = api;
  }

  /** Asks for them: another window may have changed them. Rejects as the API does. */
  async refresh(): Promise<void> {
    this.items = await this.#api.listPrompts();
    this.loaded = true;
  }

  /** As {@link refresh}, for a list that shows what is known meanwhile. Never rejects. */
  async load(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  /** Rejects as the API does. */
  async create(written: WrittenPrompt): Promise<void> {
    this.#put(await this.#api.createPrompt(written));
  }

  /** Rejects as the API does. */
  async update(id: string, written: WrittenPrompt): Promise<void> {
    this.#put(await this.#api.updatePrompt(id, written));
  }

  /** Rejects as the API does. */
  async delete(id: string): Promise<void> {
    await this.#api.deletePrompt(id);
    this.items = this.items.filter((prompt) => prompt.id !== id);
  }

  #put(prompt: Prompt): void {
    const others = this.items.filter(({ id }) => id !== prompt.id);
    this.items = [...others, prompt].toSorted((one, other) => one.name.localeCompare(other.name));
  }
}
