import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import type { UpdateChatBody } from '../../shared/api/chat.ts';
import type { ParameterName, Parameters } from '../../shared/api/parameters.ts';
import type { MessageMode } from '../../shared/api/message.ts';
import { slugOf } from '../models/model-name.ts';
import { PARAMETER_FIELDS } from '../models/parameter-form.ts';
import { NEW_CHAT_KEY } from '../chats/kept-drafts.ts';
import { until } from '../lib/until.ts';
import { words } from '../lib/words/index.ts';
import { newChatModel } from '../session/new-chat-models.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** What can be chosen. */
export type AnswererPart = 'agentType' | 'model';

const MODEL_PARAMETERS: readonly ParameterName[] = PARAMETER_FIELDS.filter(
  (field) => field !== 'instructions',
);

/** How long the chat may take to show what was chosen, in milliseconds. */
const SEEN_WITHIN_MS = 5_000;

/** The model, agent and mode of the open conversation, and how to change them. */
export class Answerer {
  readonly #workbench: Workbench;
  /** Chosen, but the chat doesn't show it yet. */
  #requested = $state.raw<Partial<Record<AnswererPart, string | undefined>>>({});

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** The chat's agent; for a new chat, the one chosen for it. */
  get agentType(): string {
    return this.#current('agentType') ?? this.#workbench.catalog.defaultAgentType;
  }

  /** The chat's model; for a new chat, the one chosen for it, or its agent's. */
  get model(): string {
    return this.#current('model') ?? newChatModel(this.#workbench, this.agentType);
  }

  /** Whether messages can be sent with or without tools: the built-in models can do nothing without theirs. */
  get hasModes(): boolean {
    return slugOf(this.model) !== null;
  }

  /** The mode of the next message. */
  get mode(): MessageMode {
    const { choices, settings } = this.#workbench;
    if (!this.hasModes) return 'agent';
    return choices.of(this.#workbench.conversation.draftKey).mode ?? settings.current.defaultMode;
  }

  /** The parameters that the model's provider supports; all if its server lists none. */
  get knownParameters(): readonly ParameterName[] {
    if (!this.hasModes) return [];
    return this.#workbench.catalog.findModel(this.model)?.parameters ?? MODEL_PARAMETERS;
  }

  /** The chat's parameters; for a new chat, those chosen for it. */
  get parameters(): Parameters {
    const { chat, chatId } = this.#workbench.conversation;
    const chosen = chatId === null ? this.#workbench.choices.of(NEW_CHAT_KEY) : chat;
    return chosen?.parameters ?? {};
  }

  /** The parameters of its agent, if this session may see them: they apply where the chat has none. */
  get agentParameters(): Parameters {
    const { agents } = this.#workbench.catalog;
    return agents.find(({ agentType }) => agentType === this.agentType)?.parameters ?? {};
  }

  /** Replaces all of the chat's parameters. Rejects as the API does. */
  async setParameters(parameters: Parameters): Promise<void> {
    const conversation = this.#workbench.conversation;
    if (conversation.chatId === null) {
      this.#workbench.choices.choose(NEW_CHAT_KEY, { parameters });
      return;
    }
    conversation.note(await this.#workbench.api.updateChat(conversation.chatId, { parameters }));
  }

  /** Sets the mode from the next message on. */
  chooseMode(mode: MessageMode): void {
    this.#workbench.choices.choose(this.#workbench.conversation.draftKey, { mode });
  }

  /** Whether the chat exists, so that a choice applies from its next message on. */
  get inChat(): boolean {
    return this.#workbench.conversation.chatId !== null;
  }

  /** The chat is being created right now: too late for its first message, and too early for the next. */
  get settling(): boolean {
    const { chatId, key } = this.#workbench.conversation;
    return chatId === null && this.#workbench.outbox.isUnsettled(key);
  }

  /** Changes the model or agent from the next message on. */
  async choose(part: AnswererPart, name: string): Promise<void> {
    const conversation = this.#workbench.conversation;
    const { chatId } = conversation;
    if (name === this[part]) return;
    if (part === 'model') void this.#keep(name);
    if (chatId === null) {
      this.#workbench.choices.choose(NEW_CHAT_KEY, { [part]: name });
      return;
    }
    this.#requested = { ...this.#requested, [part]: name };
    try {
      const change: UpdateChatBody = { [part]: name };
      this.#workbench.chats.note(await this.#workbench.api.updateChat(chatId, change));
      await until(() => conversation.chat?.[part] === name, SEEN_WITHIN_MS);
    } catch (problem) {
      this.#workbench.toasts.complain(problem, words.composer.notChosen);
    } finally {
      this.#requested = { ...this.#requested, [part]: undefined };
    }
  }

  /** New chats of the workspace start with the model chosen last; a rehearsal applies to its chat only. */
  async #keep(model: string): Promise<void> {
    const { isAdmin, workspaces } = this.#workbench;
    const wanted = model === OFFLINE_MODEL_NAME ? null : model;
    if (!isAdmin || isRehearsal(model) || workspaces.current?.defaultModel === wanted) return;
    // The choice applies to this chat all the same.
    await workspaces.setDefaultModel(wanted).catch(() => undefined);
  }

  #current(part: AnswererPart): string | undefined {
    const { chat, chatId } = this.#workbench.conversation;
    if (chatId === null) return this.#workbench.choices.of(NEW_CHAT_KEY)[part];
    return this.#requested[part] ?? chat?.[part];
  }
}
