import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import type { UpdateChatBody } from '../../shared/api/chat.ts';
import type { ParameterName, Parameters } from '../../shared/api/parameters.ts';
import type { MessageMode } from '../../shared/api/message.ts';
import { slugOf } from '../models/model-name.ts';
import { PARAMETER_FIELDS } from '../models/parameter-form.ts';
import { NEW_CHAT_KEY } from '../chats/kept-drafts.ts';
import { describeProblem } from '../api/problem-words.ts';
import { words } from '../lib/words/index.ts';
import type { Conversation } from '../chats/conversation.svelte.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** What a choice is about. */
export type AnswererPart = 'agentType' | 'model';

const MODEL_PARAMETERS: readonly ParameterName[] = PARAMETER_FIELDS.filter(
  (field) => field !== 'instructions',
);

/** How long the chat may take to show what was chosen, in milliseconds. */
const SEEN_WITHIN_MS = 5_000;

/** Who answers in the open conversation, and how to have somebody else do so. */
export class Answerer {
  readonly #workbench: Workbench;
  readonly #conversation: () => Conversation;
  /** Chosen, and not yet seen on the chat. */
  #asked = $state.raw<Partial<Record<AnswererPart, string | undefined>>>({});

  constructor(workbench: Workbench, conversation: () => Conversation) {
    this.#workbench = workbench;
    this.#conversation = conversation;
  }

  /** The chat's agent; of one that does not exist yet, what was chosen for it. */
  get agentType(): string {
    return this.#current('agentType') ?? this.#workbench.catalog.defaultAgentType;
  }

  /** The chat's model; of one that does not exist yet, what was chosen for it, or its agent's. */
  get model(): string {
    return this.#current('model') ?? this.#workbench.newChatModels.of(this.agentType);
  }

  /** Whether messages can go with tools or without: the models that are built in can do nothing without theirs. */
  get hasModes(): boolean {
    return slugOf(this.model) !== null;
  }

  /** How the next message goes. */
  get mode(): MessageMode {
    const { choices, settings } = this.#workbench;
    if (!this.hasModes) return 'agent';
    return choices.of(this.#conversation().draftKey).mode ?? settings.current.defaultMode;
  }

  /** The parameters that the model's provider knows; of one whose server lists none, all are offered. */
  get knownParameters(): readonly ParameterName[] {
    if (!this.hasModes) return [];
    return this.#workbench.catalog.findModel(this.model)?.parameters ?? MODEL_PARAMETERS;
  }

  /** The chat's parameters; of one that does not exist yet, what was chosen for it. */
  get parameters(): Parameters {
    const { chat, chatId } = this.#conversation();
    const chosen = chatId === null ? this.#workbench.choices.of(NEW_CHAT_KEY) : chat;
    return chosen?.parameters ?? {};
  }

  /** Those of its agent, as far as this session may see them: they count where the chat has none. */
  get agentParameters(): Parameters {
    const { agents } = this.#workbench.catalog;
    return agents.find(({ agentType }) => agentType === this.agentType)?.parameters ?? {};
  }

  /** Gives the chat these, in place of all it has. Rejects as the API does. */
  async setParameters(parameters: Parameters): Promise<void> {
    const conversation = this.#conversation();
    if (conversation.chatId === null) {
      this.#workbench.choices.choose(NEW_CHAT_KEY, { parameters });
      return;
    }
    const chat = await this.#workbench.api.updateChat(conversation.chatId, { parameters });
    this.#workbench.chats.note(chat);
    conversation.note(chat);
  }

  /** Has messages go so from the next one on. */
  chooseMode(mode: MessageMode): void {
    this.#workbench.choices.choose(this.#conversation().draftKey, { mode });
  }

  /** Whether there is a chat, so that a choice counts from its next message on. */
  get inChat(): boolean {
    return this.#conversation().chatId !== null;
  }

  /** The chat is being made at this moment: a choice would come too late for it and too early for the next. */
  get settling(): boolean {
    const { chatId, key } = this.#conversation();
    return chatId === null && this.#workbench.outbox.isUnsettled(key);
  }

  /** Has another one answer from the next message on. */
  async choose(part: AnswererPart, name: string): Promise<void> {
    const conversation = this.#conversation();
    const { chatId } = conversation;
    if (name === this[part]) return;
    if (part === 'model') void this.#keep(name);
    if (chatId === null) {
      this.#workbench.choices.choose(NEW_CHAT_KEY, { [part]: name });
      return;
    }
    this.#asked = { ...this.#asked, [part]: name };
    try {
      const change: UpdateChatBody = { [part]: name };
      this.#workbench.chats.note(await this.#workbench.api.updateChat(chatId, change));
      const tooLong = new Promise((resolve) => setTimeout(resolve, SEEN_WITHIN_MS));
      await Promise.race([conversation.until((chat) => chat[part] === name), tooLong]);
    } catch (problem) {
      this.#workbench.toasts.show({
        text: words.composer.notChosen(describeProblem(problem)),
        kind: 'problem',
      });
    } finally {
      this.#asked = { ...this.#asked, [part]: undefined };
    }
  }

  /** New chats of the workspace begin with the model that was chosen last; a rehearsal is for its chat alone. */
  async #keep(model: string): Promise<void> {
    const { isAdmin, workspaces } = this.#workbench;
    const wanted = model === OFFLINE_MODEL_NAME ? null : model;
    if (!isAdmin || isRehearsal(model) || workspaces.current?.defaultModel === wanted) return;
    // What was chosen counts in this chat all the same.
    await workspaces.setDefaultModel(wanted).catch(() => undefined);
  }

  #current(part: AnswererPart): string | undefined {
    const { chat, chatId } = this.#conversation();
    if (chatId === null) return this.#workbench.choices.of(NEW_CHAT_KEY)[part];
    return this.#asked[part] ?? chat?.[part];
  }
}
