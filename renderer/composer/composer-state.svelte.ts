import type { Attachment } from '../../shared/api/attachment.ts';
import { deleteUpload } from '../api/files.ts';
import type { Conversation } from '../chats/conversation.svelte.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from '../session/workbench.svelte.ts';
import { Task } from '../ui/task.svelte.ts';
import { Answerer } from './answerer.svelte.ts';
import { Composition } from './composition.svelte.ts';
import { isForm, SlashList } from './tool-list.svelte.ts';

/** Writing a message in a conversation, and sending it or stopping the reply: what the parts of the composer share. */
export class ComposerState {
  readonly answerer: Answerer;
  readonly composition: Composition;
  /** The list above the box. */
  readonly list: SlashList;
  readonly stopping = new Task(words.composer.stopFailed);
  box = $state.raw<HTMLTextAreaElement | undefined>();
  /** The box is as tall as the window allows. */
  tall = $state(false);
  /** It is sent as soon as its files are uploaded, unless the person continues writing. */
  sendsSoon = $state(false);
  readonly #workbench: Workbench;
  readonly #conversation: Conversation;

  /** `compact`: just the box, without the list. */
  constructor(workbench: Workbench, conversation: Conversation, compact: boolean) {
    const { drafts, prompts, tools, uploads } = workbench;
    this.#workbench = workbench;
    this.#conversation = conversation;
    this.answerer = new Answerer(workbench);
    this.composition = new Composition({ drafts, uploads }, () => conversation.draftKey);
    this.list = new SlashList(
      tools,
      prompts,
      () => (compact ? '' : this.composition.text),
      (text, replaces) => {
        this.composition.insert(text, replaces);
        this.focus();
      },
    );
  }

  get uploading(): boolean {
    return this.composition.uploads.length > 0;
  }

  /** How many messages wait: they come before this one, and stopping ends them, too. */
  get waiting(): number {
    return this.#workbench.messageActions.waiting.behind;
  }

  /** Why nothing can be sent now; null when something can. */
  get hindrance(): string | null {
    const { blank, left, uploads } = this.composition;
    if (uploads.some(({ state }) => state === 'failed')) return words.files.notAll;
    if (blank && !this.uploading) return words.composer.nothingToSend;
    if (left !== null && left < 0) return words.composer.tooLong;
    return this.#conversation.loaded ? null : words.composer.notLoaded;
  }

  focus(): void {
    this.box?.focus();
  }

  send(): void {
    this.sendsSoon = this.uploading && this.hindrance === null;
    if (this.sendsSoon || this.hindrance !== null) return;
    const { text, files } = this.composition;
    const isMeantForTool = isForm(text, this.#workbench.tools.items);
    // A message that names a tool is meant for it, whatever the mode.
    this.#workbench.send(text, isMeantForTool ? 'agent' : this.answerer.mode, files);
    this.composition.clear();
    this.tall = false;
    this.stopping.problem = null;
  }

  /** Stops the reply under way and all that wait. Never rejects. */
  async stop(): Promise<void> {
    await this.stopping.run(() => this.#conversation.stop());
    this.focus();
  }

  attach(files: readonly File[]): void {
    this.composition.attach(files);
    this.focus();
  }

  remove(file: Attachment): void {
    this.composition.remove(file);
    void deleteUpload(this.#workbench.api, file.id);
  }
}
