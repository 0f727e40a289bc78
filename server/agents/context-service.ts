/** How full chats' contexts are, and summarising by hand; apart from HTTP. */
import { isUnsettled } from '../../shared/choices.ts';
import type { ChatContext, ContextSummary } from '../../shared/api/context.ts';
import type { ResolveAccess } from '../connections/access.ts';
import { contextTokensOf } from '../connections/known-models.ts';
import { AppError } from '../errors.ts';
import { isModelName } from '../connections/model-names.ts';
import { findChatIn, type ChatTarget, type StoredChat } from '../store/chat-repository.ts';
import { describeCompacted, findSummary } from '../store/summary-repository.ts';
import { readInSlices } from '../store/pieces.ts';
import type { Reader, Store } from '../store/types.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { canSummarise, summarise, type SummariserDeps } from './summariser.ts';
import { measureChat } from './measure.ts';
import { estimateSetup } from './setup.ts';

/** What clients learn of contexts, and do with them. Null: there is no such chat. */
export type ContextService = ReturnType<typeof createContextService>;

/** What {@link createContextService} works with. */
export interface ContextDeps extends SummariserDeps {
  resolveAccess: ResolveAccess;
}

const NOTHING_TO_SUMMARISE =
  'There is nothing to summarise: only the newest messages are left, and the model always gets those whole.';
const INTERRUPTED = 'The chat changed while it was being compacted, so nothing was compacted; try again.';

/** Makes the context service of a store. */
export function createContextService(deps: ContextDeps) {
  const { store, resolveAccess } = deps;
  const underWay = new Map<string, AbortController>();
  let isClosed = false;

  const findStored = ({ chatId, workspaceId }: ChatTarget): StoredChat | null =>
    store.read((reader) => findChatIn(reader, chatId, workspaceId));

  function* read(reader: Reader, target: ChatTarget): Generator<void, ChatContext | null> {
    const chat = findChatIn(reader, target.chatId, target.workspaceId);
    if (chat === null) return null;
    const isBusy = isUnsettled(chat.status) || underWay.has(chat.id);
    const measured = yield* measureChat(reader, chat);
    yield;
    const summary = readSummary(reader, chat.id);
    yield;
    const isKnown = measured !== null && !(isModelName(chat.model) && measured.isEstimate);
    return {
      tokens: isKnown ? measured.tokens : null,
      isEstimate: isKnown && measured.isEstimate,
      limit: contextTokensOf(reader, chat.model),
      setup: estimateSetup(reader, chat),
      summary,
      compacting: underWay.has(chat.id),
      canCompact: !isBusy && (yield* canSummarise(reader, chat.id)),
    };
  }

  const find = (target: ChatTarget): Promise<ChatContext | null> =>
    readInSlices(store, (reader) => read(reader, target));

  /**
   * Summarises the older messages and resolves with the context as it then is, once that is on disk: half a minute at most. Rejects
   * with AppError `chat_busy` while a reply is under way, also when a message comes meanwhile (nothing is changed then), and
   * `conflict` when there is nothing to summarise.
   */
  async function compact(target: ChatTarget): Promise<ChatContext | null> {
    const chat = findStored(target);
    if (chat === null) return null;
    if (isUnsettled(chat.status) || underWay.has(chat.id)) throw new AppError('chat_busy');
    if (isClosed) throw new AppError('shutting_down');
    const controller = new AbortController();
    underWay.set(chat.id, controller);
    const unwatch = watch(store, target, () => controller.abort(new AppError('chat_busy', INTERRUPTED)));
    let isSummarised: boolean;
    try {
      const { signal } = controller;
      const found = await unlessAborted(signal, resolveAccess(chat.model));
      const access = found.kind === 'connected' ? found.access : null;
      isSummarised = await summarise(deps, {
        chatId: chat.id,
        reason: 'by_hand',
        waiting: null,
        access,
        signal,
      });
    } finally {
      unwatch();
      underWay.delete(chat.id);
    }
    if (isSummarised) return find(target);
    // It was planned for a conversation that is another one now, as when another version was chosen meanwhile.
    const canSummariseNow = await readInSlices(store, (reader) => canSummarise(reader, chat.id));
    throw new AppError(
      'conflict',
      canSummariseNow || findStored(target)?.structure !== chat.structure
        ? INTERRUPTED
        : NOTHING_TO_SUMMARISE,
    );
  }

  return {
    async find(target: ChatTarget): Promise<ChatContext | null> {
      const context = await find(target);
      await store.settled();
      return context;
    },
    compact,
    /** Ends what is under way. */
    close(): void {
      isClosed = true;
      for (const controller of underWay.values()) controller.abort(new AppError('shutting_down'));
    },
  };
}

/** Calls back, once at most, when the chat has something to do or is gone, until what this returns is called. */
function watch(store: Store, target: ChatTarget, onBusy: () => void): () => void {
  let isPlanned = false;
  return store.onChange(() => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(() => {
      isPlanned = false;
      const chat = store.read((reader) => findChatIn(reader, target.chatId, target.workspaceId));
      if (chat === null || isUnsettled(chat.status)) onBusy();
    });
  });
}

function readSummary(reader: Reader, chatId: string): ContextSummary | null {
  const summary = findSummary(reader, chatId);
  if (summary === null) return null;
  const { text, model, createdAt } = summary;
  return { text, ...describeCompacted(reader, summary), model, createdAt };
}
