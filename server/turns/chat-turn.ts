/**
 * A chat's turn: one object from taking its message until its reply is on disk, and for the work after that: naming the chat, and
 * summarising it when it gets too long. Nobody has to wait for that work, and if it fails, the chat stays as it is. It ends at once when a
 * message arrives, somebody stops the chat, or the service stops.
 */
import type { MessageError } from '../../shared/api/message.ts';
import { isRehearsal, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import { nameChat, wantsName } from '../agents/name-chat.ts';
import { readAgents, withInstructions, withParameters } from '../agents/read-agents.ts';
import { sharedInstructions } from '../agents/setup.ts';
import { hasNoRoom, isNearlyFull, summarise, type SummariserDeps } from '../agents/summariser.ts';
import { createWorkspacePort } from '../agents/workspace.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { isModelName } from '../connections/model-names.ts';
import { RECORDS } from '../connections/providers/index.ts';
import type { FileStore } from '../files/file-store.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { wantsServiceTool } from '../models/offline/forms/read-form.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { findOpening } from '../store/branch-repository.ts';
import { findChat } from '../store/chat-repository.ts';
import { createReplySaver } from '../store/growing-reply.ts';
import { isLongerThan } from '../store/message-json.ts';
import { lesserReach, type FinalReply } from '../store/message-repository.ts';
import { atOnce, PIECE_BYTES, readInSlices } from '../store/pieces.ts';
import { findAllowedTools } from '../store/schedule-repository.ts';
import { findSummary } from '../store/summary-repository.ts';
import { listBegunCalls } from '../store/tool-call-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import type { ToolSource } from '../tools/tool.ts';
import type { PendingApprovals } from './approvals.ts';
import { cutOffError, finalReply } from './final-reply.ts';
import { offerTools } from './offer-tools.ts';
import { finishFollowUp, isRunning, saveProgress, storeEnd, type TakenTurn } from './rows.ts';
import { Turn, type Prepared, type TurnDeps, type TurnParts } from './turn.ts';
import { gatherConversation } from './turn-files.ts';
import { createTurnTools } from './turn-tools.ts';

/** Dependencies of a chat's turn. */
export interface ChatTurnDeps extends SummariserDeps, TurnDeps {
  /** Whether connected models name chats. */
  nameChats: () => boolean;
  /** Bytes of messages' files. */
  files: Pick<FileStore, 'read' | 'textOf'>;
  /** Where tools of the service come from. */
  toolSources: readonly ToolSource[];
  approvals: PendingApprovals;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
  /** Updates the search index before a tool searches. */
  search: Pick<SearchIndexer, 'catchUp'>;
}

/** What to do after a reply. */
interface FollowUp {
  isUnnamed: boolean;
  /** Null: the conversation is long, so this has yet to be found out. */
  isNearlyFull: boolean | null;
}

/** A conversation up to this long is measured in the transaction that stores a reply. */
const SHORT = { rows: 200, bytes: PIECE_BYTES };

/** The reason of a turn that was stopped. */
export const STOPPED = new DOMException('The turn was stopped.', 'AbortError');

/** How a turn ends that can't go on because of a fault of ours. */
export const FAULT: MessageError = {
  code: 'model_failed',
  message: 'The assistant could not finish this reply because of a fault in Parley; please try again.',
};

/** A turn of a chat. */
export class ChatTurn extends Turn {
  readonly taken: TakenTurn;
  readonly #deps: ChatTurnDeps;
  /** Stores the end that the disk refused; null: it refused none. */
  #endRows: ((writer: Writer) => void) | null = null;

  constructor(
    deps: ChatTurnDeps,
    taken: TakenTurn,
    host: Omit<TurnParts, 'model' | 'chatId' | 'replyId' | 'faultError'>,
  ) {
    const { chat, replyId } = taken;
    super(deps, { ...host, model: chat.model, chatId: chat.id, replyId, faultError: FAULT });
    this.taken = taken;
    this.#deps = deps;
  }

  /** Ends it although the disk refused to store that: `store` calls `endRows` once the disk takes it. Only the first one counts. */
  endUnstored(endRows: (writer: Writer) => void): void {
    if (this.outcome === null) this.#endRows = endRows;
    this.end(STOPPED);
  }

  /**
   * Stores how it ended, unless somebody else has, and does the work after the reply. `onReply` is called once the reply is on disk.
   * Rejects when the store refuses; then call it again later.
   */
  async store(onReply: (final: FinalReply) => void): Promise<void> {
    const { outcome, taken, signal } = this;
    const { store, clock } = this.#deps;
    const { id } = taken.chat;
    const now = (): string => clock().toISOString();
    if (this.#endRows !== null) await store.write(this.#endRows);
    else if (outcome !== null && outcome !== 'ended') {
      const final = finalReply(outcome);
      const stored = await store.write((writer) =>
        storeEnd(writer, taken, final, now(), () => (signal.aborted ? null : this.#planFollowUp(writer))),
      );
      if (stored === null) return;
      onReply(final);
      if (stored.work === null) return;
      await this.#followUp(stored.work, final);
      await store.write((writer) => finishFollowUp(writer, id, now()));
    }
  }

  /** Finds the tools of the turn, reads its conversation and makes the request. */
  protected override async prepare(access: ModelAccess | null): Promise<Prepared> {
    const deps = this.#deps;
    const { taken, signal } = this;
    const { store, clock, newId } = deps;
    const { chat, message, replyId } = taken;
    const { id: chatId, workspaceId, model } = chat;
    const onError = (error: unknown): void => deps.onError(error, chatId);
    const { agents, reach, rehearsal, allowed } = store.read((reader) => this.#readChoices(reader));
    const wanted = {
      ...{ agents, model, access, reach },
      wantsServiceTool: wantsServiceTool(message.content),
      isChat: message.mode === 'chat',
    };
    const { agent, helpers, callable } = await offerTools(deps.toolSources, wanted, onError);
    const seesPictures = access === null ? false : (access.pictures ?? null);
    const conversation = await gatherConversation(deps, taken, { seesPictures, signal });
    // A stop is in the rows before it is on disk, and ends this turn only then.
    if (!store.read((reader) => isRunning(reader, taken))) this.end(STOPPED);
    const except = { chatId, fromSeq: message.seq };
    const workspace = createWorkspacePort({ store, clock, newId, workspaceId, search: deps.search, except });
    const timeZone = deps.timeZone();
    const now = clock();
    const saver = createReplySaver(replyId);
    return {
      request: {
        ...{ chatId, workspaceId, agent, access, model, timeZone },
        ...(helpers.length > 0 && { helpers }),
        mode: message.mode ?? 'agent',
        ...(rehearsal && { rehearsal }),
        ...conversation,
        now: now.toISOString(),
      },
      callTool: createTurnTools({
        ...{ store, clock, newId, workspaceId, chatId, replyId, allowed, signal },
        takesPictures: access !== null && RECORDS[access.provider].takesPictures,
        approvals: deps.approvals,
        tools: callable,
        context: { workspace, now, timeZone },
        mayAsk: reach === 'all',
        approvalMs: deps.approvalMs,
        onProgress: () => this.live?.noteProgress(),
        onFault: onError,
      }),
      save: (growth) =>
        store.write((writer) => saveProgress(writer, taken, saver, growth, clock().toISOString())),
    };
  }

  /** What the rows say of how to answer: by which agents, with which tools, and where in its script a rehearsal stands. */
  #readChoices(reader: Reader) {
    const { chat, message } = this.taken;
    const [first, ...others] = readAgents(reader, chat);
    const instructed = withInstructions(first, ...sharedInstructions(reader, chat));
    // Counted in the store: the history leaves out replies that were stopped early, and may not go back to the first message.
    const script = isRehearsal(chat.model) ? findOpening(reader, chat.id, message.seq) : null;
    const own = message.toolReach ?? 'all';
    // A rehearsal does what its script says, so it gets no more tools than whoever sent that; ready-made scripts are Parley's own.
    const reach = chat.model === REHEARSAL_MODEL_NAME ? lesserReach(own, script?.toolReach ?? 'all') : own;
    return {
      agents: [withParameters(instructed, chat.parameters, message.parameters), ...others] as const,
      reach,
      rehearsal: script && { opening: script.opening, turn: script.turn },
      allowed: reach === 'unasked' ? findAllowedTools(reader, message.id) : null,
    };
  }

  /**
   * Makes room by a summary: before the first attempt if there is none (`no_room`), or after the model refused the conversation as too
   * long (`refused`).
   */
  protected override async freeContext(reason: 'no_room' | 'refused', access: ModelAccess): Promise<boolean> {
    const { signal } = this;
    const { store, onError } = this.#deps;
    const { chat, message } = this.taken;
    const chatId = chat.id;
    try {
      const isWanted =
        reason === 'refused' || (await readInSlices(store, (reader) => hasNoRoom(reader, chatId, message)));
      signal.throwIfAborted();
      if (!isWanted) return false;
      return await summarise(this.#deps, { chatId, reason, waiting: message, access, signal });
    } catch (error) {
      signal.throwIfAborted();
      onError(error, chatId);
      return false;
    }
  }

  protected override whyNotAgain(): MessageError | null {
    const begun = this.#deps.store.read((reader) => listBegunCalls(reader, this.taken.replyId));
    return begun.length === 0 ? null : cutOffError(begun);
  }

  /** What to do after this reply, once it is complete and no message waits; null: nothing. */
  #planFollowUp(reader: Reader): FollowUp | null {
    const { id, model } = this.taken.chat;
    if (isModelName(model)) return null;
    const isLong = isLongerThan(reader, id, findSummary(reader, id)?.uptoSeq ?? 0, SHORT);
    const work = {
      isUnnamed: this.#deps.nameChats() && wantsName(reader, id),
      isNearlyFull: isLong ? null : atOnce(isNearlyFull(reader, id)),
    };
    return work.isUnnamed || work.isNearlyFull !== false ? work : null;
  }

  /** Does it. Never rejects. */
  async #followUp(work: FollowUp, final: FinalReply): Promise<void> {
    const { signal } = this;
    const { store, resolveAccess, onError } = this.#deps;
    const { message } = this.taken;
    const { id: chatId, model } = this.taken.chat;
    try {
      signal.throwIfAborted();
      const found = await unlessAborted(signal, resolveAccess(model));
      const chat = store.read((reader) => findChat(reader, chatId));
      // Its model may be another one by now.
      const access = found.kind === 'connected' && chat?.model === model ? found.access : null;
      if (chat === null) return;
      if (work.isUnnamed && access !== null) {
        const exchange = { chat, question: message.content, reply: final.content };
        await nameChat(this.#deps, exchange, access, signal);
      }
      if (work.isNearlyFull ?? (await readInSlices(store, (reader) => isNearlyFull(reader, chatId)))) {
        signal.throwIfAborted();
        await summarise(this.#deps, { chatId, reason: 'nearly_full', waiting: null, access, signal });
      }
    } catch (error) {
      if (!signal.aborted) onError(error, chatId);
    }
  }
}
