/**
 * Everything behind the page of one signed-in session: it holds the parts together and decides which conversation is
 * open. Components get it from context.
 */
import { createContext } from 'svelte';
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message, MessageMode } from '../../shared/api/message.ts';
import type { McpServer } from '../../shared/api/mcp.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Prompt } from '../../shared/api/prompt.ts';
import type { WorkspaceEvent } from '../../shared/api/event.ts';
import { isUnsettled, LIST_NAMES, type ListName } from '../../shared/choices.ts';
import { createApiClient, type ApiClient } from '../api/client.ts';
import { createServerProver } from '../api/server-proof.ts';
import { mayAdminister, type SessionGrant } from '../api/session.ts';
import { focusMessageBoxIfLost } from '../chats/focus-message-box.ts';
import { NEW_CHAT_KEY } from '../chats/kept-drafts.ts';
import { followEvents } from '../api/events.ts';
import { Listed } from '../api/listed.svelte.ts';
import { words } from '../lib/words/index.ts';
import { fragmentOf, routeIn } from '../lib/address.ts';
import { quietly } from '../lib/quietly.ts';
import { approvalCommands } from '../chats/approval-commands.ts';
import { Approvals } from '../chats/approvals.svelte.ts';
import { Catalog } from '../models/catalog.svelte.ts';
import { Chats } from '../chats/chats.svelte.ts';
import { Choices } from '../chats/choices.svelte.ts';
import { Commands } from '../ui/commands.svelte.ts';
import { ServiceConnection } from '../api/connection.svelte.ts';
import { Conversation, type ConversationPorts } from '../chats/conversation.svelte.ts';
import { Drafts } from '../chats/drafts.svelte.ts';
import { MessageActions } from '../chats/message-actions.svelte.ts';
import { messageCommands } from '../chats/message-commands.ts';
import { Tools } from '../models/tools.svelte.ts';
import { Projects } from './projects.svelte.ts';
import { ModelServers } from '../models/model-servers.svelte.ts';
import { Outbox } from '../chats/outbox.svelte.ts';
import { RemotePictures } from '../chats/remote-pictures.svelte.ts';
import type { Session } from './session.svelte.ts';
import { SettingsState } from './settings.svelte.ts';
import { StorageNotices } from './storage-notices.svelte.ts';
import { Thumbnails } from '../chats/thumbnails.ts';
import { Toasts } from '../ui/toasts.svelte.ts';
import { Uploads } from '../chats/uploads.svelte.ts';
import { Viewing } from '../chats/viewing.svelte.ts';
import { createWorkspaceStream, type WorkspaceStream } from '../chats/workspace-stream.ts';
import { Workspaces } from './workspaces.svelte.ts';

/** How a window other than the main one differs. */
export interface WorkbenchOptions {
  newDraftKey?: string;
  /** Only the open conversation matters: chats aren't listed, and messages that another page left unsent aren't sent. */
  isBrief?: boolean;
}

export class Workbench {
  readonly connection = new ServiceConnection();
  readonly toasts = new Toasts();
  readonly commands = new Commands();
  /** For parts that ask the service on their own; anything several parts show belongs in a state class here. */
  readonly api: ApiClient;
  /** Whether the session has the scope `admin`: settings, keys, other workspaces. */
  readonly isAdmin: boolean;
  readonly settings: SettingsState;
  readonly workspaces: Workspaces;
  readonly projects: Projects;
  readonly chats: Chats;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly uploads: Uploads;
  readonly messageActions: MessageActions;
  readonly approvals: Approvals;
  readonly catalog: Catalog;
  readonly tools: Tools;
  readonly prompts: Listed<Prompt>;
  readonly modelServers: ModelServers;
  readonly mcpServers: Listed<McpServer>;
  readonly storageNotices: StorageNotices;
  readonly choices = new Choices();
  readonly thumbnails: Thumbnails;
  readonly remotePictures: RemotePictures;
  readonly viewing = new Viewing();
  conversation = $state.raw() as Conversation;
  /** The last reply that finished while it was watched, for screen readers. */
  lastReply = $state.raw<Message | null>(null);
  /** Resolves when the stored drafts have been loaded, or loading them failed. */
  draftsKnown: Promise<void> = Promise.resolve();
  /** The key under which the draft of a new chat is kept. */
  readonly newDraftKey: string;
  readonly #ports: ConversationPorts;
  readonly #stream: WorkspaceStream;
  readonly #isBrief: boolean;
  /** The stream has delivered what the page had loaded by itself. */
  #isListed = false;

  constructor(
    session: Pick<Session, 'renew' | 'expire'>,
    grant: SessionGrant,
    chatId: string | null,
    { newDraftKey = NEW_CHAT_KEY, isBrief = false }: WorkbenchOptions = {},
  ) {
    this.newDraftKey = newDraftKey;
    this.#isBrief = isBrief;
    this.api = createApiClient({
      apiKey: grant.apiKey,
      workspaceId: grant.workspaceId,
      renew: () => session.renew(),
      prove: grant.serverKey === null ? null : createServerProver(grant.serverKey),
      onOutcome: (outcome) => {
        if (outcome === 'no_answer') this.#noteLost();
        else this.connection.reached();
        if (outcome === 'unauthorized') session.expire();
        if (outcome === 'not_stored' && this.isAdmin) void this.storageNotices.refresh();
      },
    });
    this.isAdmin = mayAdminister(grant);
    this.thumbnails = new Thumbnails(this.api);
    this.remotePictures = new RemotePictures(this.api);
    this.settings = new SettingsState(this.api);
    this.workspaces = new Workspaces(this.api, grant.workspaceId);
    this.projects = new Projects(this.api, grant.workspaceId);
    this.chats = new Chats(this.api, () => this.projects.open);
    this.outbox = new Outbox(this.api, this.connection, grant.workspaceId, {
      created: (key, chat) => this.#adopt(key, chat),
      taken: async (chat) => {
        this.chats.note(chat);
        // The message must stay in view even if the service goes away right now.
        if (this.conversation.chatId === chat.id) await this.conversation.untilCaughtUp(chat);
      },
    });
    this.catalog = new Catalog(this.api);
    this.tools = new Tools(this.api);
    this.prompts = new Listed(() => this.api.listPrompts());
    this.modelServers = new ModelServers(this.api, () => {
      quietly(this.catalog.refresh(), this.workspaces.refresh());
    });
    this.mcpServers = new Listed(() => this.api.listMcpServers());
    this.storageNotices = new StorageNotices(this.api);
    this.drafts = new Drafts(grant.workspaceId, {
      api: this.api,
      whenOnline: () => this.connection.whenOnline(),
      onReplaced: (chatKey, lost) =>
        this.toasts.show({
          text: words.composer.draftReplaced,
          action: { label: words.composer.putBack, run: () => this.drafts.write(chatKey, lost) },
          kind: 'problem',
        }),
    });
    const { api, connection, toasts } = this;
    const conversation = (): Conversation => this.conversation;
    const onBranch = (chat: Chat): void => {
      this.chats.note(chat);
      location.hash = fragmentOf(chat.id);
    };
    this.uploads = new Uploads({ api, connection, toasts });
    this.messageActions = new MessageActions({
      ...{ api, connection, toasts, conversation, onBranch },
      toDraft: (chatKey, writing) => this.drafts.prepend(chatKey, writing),
      onDone: () => void focusMessageBoxIfLost(),
    });
    this.approvals = new Approvals({ api, conversation });
    this.commands.offer(approvalCommands(conversation, this.approvals));
    this.commands.offer(messageCommands(conversation, this.messageActions, toasts));
    this.#stream = createWorkspaceStream({
      follow: (options) => followEvents(api, options),
      onEvent: (event) => this.#take(event),
      isBusy: () =>
        [this.conversation.chat, ...this.chats.items].some(
          (chat) => chat !== null && isUnsettled(chat.status),
        ),
    });
    this.#ports = {
      api,
      stream: this.#stream,
      onChat: (chat) => this.chats.note(chat),
      onReply: (reply) => (this.lastReply = reply),
      isHeld: (key) => this.outbox.isUnsettled(key),
      newDraftKey,
    };
    this.conversation = this.#conversationOf(chatId);
  }

  /** Starts following the service, and sends what an earlier page left unsent. */
  async start(): Promise<void> {
    this.#follow();
    // The stream asks for it, too, once connected; the first list should not wait for that.
    if (!this.#isBrief) void this.#list();
    if (this.isAdmin) quietly(this.settings.refresh(), this.modelServers.discover(!this.#isBrief));
    quietly(this.workspaces.refresh(), this.catalog.refresh());
    this.draftsKnown = this.drafts.refresh().catch(() => undefined);
    if (this.#isBrief) return;
    if (this.isAdmin) void this.storageNotices.refresh();
    await this.outbox.resume();
    if (this.conversation.chatId === null && this.outbox.unborn !== null)
      this.#show(this.#conversationOf(null));
  }

  close(): void {
    this.#stream.close();
    this.chats.close();
    this.storageNotices.close();
    this.outbox.close();
    this.drafts.close();
    this.conversation.close();
  }

  open(chatId: string | null): void {
    if (this.conversation.chatId === chatId && !this.conversation.missing) return;
    this.#show(this.#conversationOf(chatId));
  }

  /** The service is working on the open chat, and the connection is up. */
  get working(): boolean {
    return this.conversation.working && this.connection.online;
  }

  /** The project that the next new chat is created in; null: none. */
  get newChatProject(): Project | null {
    return this.projects.find(this.choices.of(NEW_CHAT_KEY).projectId);
  }

  send(content: string, mode: MessageMode, attachments: readonly Attachment[] = []): void {
    const { key, chatId } = this.conversation;
    const { agentType, model, parameters } = this.choices.of(NEW_CHAT_KEY);
    const opening = { agentType, model, parameters, projectId: this.newChatProject?.id };
    this.outbox.send(key, chatId, content, mode, opening, attachments);
    this.conversation.onSent();
  }

  /** Refreshes everything: the page came back into view, or a person asks. */
  refresh(): void {
    this.#stream.check();
    // Another window may have chosen another model for new chats.
    quietly(this.workspaces.refresh(), this.catalog.refresh(), this.drafts.refresh());
    if (this.isAdmin) quietly(this.settings.refresh(), this.modelServers.refresh());
    if (this.#isBrief) return;
    if (this.isAdmin) void this.storageNotices.refresh();
    quietly(this.outbox.resume(), this.projects.refresh());
  }

  /** A new chat whose first message isn't accepted yet is shown as such: it could be seen nowhere else. */
  #conversationOf(chatId: string | null): Conversation {
    const key = chatId ?? this.outbox.unborn ?? `new-${crypto.randomUUID()}`;
    return new Conversation(key, chatId, this.#ports);
  }

  #show(conversation: Conversation): void {
    this.conversation.close();
    this.conversation = conversation;
    this.#follow();
  }

  #follow(): void {
    const { chatId } = this.conversation;
    if (this.#isBrief && chatId === null && this.connection.online) this.#stream.stop();
    else this.#stream.follow(chatId);
  }

  #noteLost(): void {
    const isNews = this.connection.online;
    this.connection.lost();
    // Something has to keep asking until the service is back.
    if (isNews && this.#isBrief) this.#follow();
  }

  #take(event: WorkspaceEvent): void {
    if (event.type === 'lists') this.#reload(event.changed);
    else if (event.type !== 'relist' && event.type !== 'chats' && event.type !== 'queue') {
      this.conversation.take(event);
    } else if (!this.#isBrief) {
      this.chats.take(event);
      if (event.type === 'relist') this.#reload(this.#isListed ? LIST_NAMES : ['projects']);
      this.#isListed = true;
    }
  }

  /** Another window or program may have changed these lists. */
  #reload(changed: readonly ListName[]): void {
    const isIn = (name: ListName): boolean => changed.includes(name);
    if (isIn('agents') || isIn('connections')) void this.catalog.load();
    if (isIn('connections') && this.isAdmin) void this.modelServers.load();
    for (const name of ['projects', 'prompts', 'workspaces'] as const) if (isIn(name)) void this[name].load();
  }

  /** Loads the chats, then those of open projects once it is known which are open. */
  async #list(): Promise<void> {
    this.chats.take({ type: 'relist' });
    await this.projects.load();
    for (const { id } of this.projects.open) if (!this.chats.isKnown(id)) quietly(this.chats.loadMore(id));
  }

  #adopt(key: string, chat: Chat): void {
    this.chats.note(chat);
    if (this.conversation.key !== key) return;
    const draftKey = this.conversation.draftKey;
    this.conversation.adopt(chat);
    this.#follow();
    for (const kept of [this.drafts, this.uploads, this.choices]) kept.move(draftKey, chat.id);
    // Someone who has gone to the settings or to another chat stays there.
    const route = routeIn(location.hash);
    if (route.view === 'chat' && route.chatId === null) history.replaceState(null, '', fragmentOf(chat.id));
  }
}

export const [useWorkbench, provideWorkbench] = createContext<Workbench>();
