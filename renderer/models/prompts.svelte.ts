import type { Prompt } from '../../shared/api/prompt.ts';
import { Listed } from '../api/listed.svelte.ts';
import type { WrittenPrompt } from '../api/chats.ts';
import type { ApiClient } from '../api/client.ts';

/** The prompts of the workspace, by name. All methods but `load` reject as the API does. */
export class Prompts extends Listed<Prompt> {
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    super(() => api.listPrompts());
    this.#api = api;
  }

  /** Like {@link refresh}, for a list that shows the previous state meanwhile. Never rejects. */
  async load(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  async create(written: WrittenPrompt): Promise<void> {
    this.#sortIn(await this.#api.createPrompt(written));
  }

  async update(id: string, written: WrittenPrompt): Promise<void> {
    this.#sortIn(await this.#api.updatePrompt(id, written));
  }

  async delete(id: string): Promise<void> {
    await this.#api.deletePrompt(id);
    this.drop(id);
  }

  #sortIn(prompt: Prompt): void {
    this.put(prompt);
    this.items = this.items.toSorted((one, other) => one.name.localeCompare(other.name));
  }
}
