/**
 * The results of a turn's calls, in the store, for when the turn starts again after a crash or with a lost thread. A call is
 * identified by its tool and input. Each attempt claims the calls it makes, one by one, so a model can do the same thing
 * twice on purpose.
 */
import { findUnfinishedReply } from '../store/message-repository.ts';
import {
  createToolCall,
  hasDoubt,
  listToolCalls,
  replaceQuestion,
  settleDoubts,
  updateToolCall,
  type StoredQuestion,
  type StoredToolCall,
} from '../store/tool-call-repository.ts';
import type { Store, Writer } from '../store/types.ts';
import { canonicalJson } from '../lib/canonical-json.ts';

/** Prefix for changes to the workspace made by tools in the agent thread. */
const WORKSPACE_PREFIX = 'workspace.';

/** A turn, and the store that it is in. */
export interface TurnScope {
  store: Store;
  clock: () => Date;
  newId: () => string;
  workspaceId: string;
  chatId: string;
  /** The reply of the turn. */
  replyId: string;
}

/** A call that isn't in the journal yet. */
type NewCall = Pick<StoredToolCall, 'id' | 'tool' | 'state'> &
  Partial<StoredQuestion & Pick<StoredToolCall, 'output'>> & { input: unknown };

/** The calls of one turn. */
export interface CallJournal {
  /** Claims the oldest such call that this attempt hasn't claimed yet; null: none. */
  claim(tool: string, input: unknown): StoredToolCall | null;
  /**
   * Whether this call might repeat an earlier one: an earlier attempt did, or may have done, something that this one hasn't
   * requested yet; or the outcome of such a call in this turn, or of a call of the tool in another reply of the chat, is unknown.
   */
  mayRepeat(tool: string, input: unknown): boolean;
  /** Stores a new call and claims it. Resolves when it is on disk. */
  add(call: NewCall): Promise<void>;
  /**
   * Changes the workspace and records that in the same transaction; resolves with the result. If an earlier attempt has made
   * the change, it isn't made again.
   */
  changeOnce<T>(what: string, input: unknown, change: (writer: Writer) => T): Promise<T>;
  /**
   * Replaces a question that is still waiting. Resolves with null once that is on disk, or with the unchanged call if it no
   * longer waits.
   */
  askAnew(id: string, question: StoredQuestion): Promise<StoredToolCall | null>;
  /**
   * Records that a call is about to be made, and claims it; false: the turn is over, and the call must not be made. `isKept`: it
   * is in the journal already. `settles`: the person who approved it was told about calls of the tool with unknown outcomes.
   */
  begin(
    call: Pick<StoredToolCall, 'id' | 'tool' | 'basis'> & {
      input: unknown;
      isKept: boolean;
      settles: boolean;
    },
  ): Promise<boolean>;
  /** Stores the result of a call. */
  update(id: string, change: Parameters<typeof updateToolCall>[2]): Promise<void>;
}

/** The journal of a turn, with nothing claimed. */
export function createCallJournal({ store, clock, newId, chatId, replyId }: TurnScope): CallJournal {
  const claimed = new Set<string>();
  const list = (): StoredToolCall[] => store.read((reader) => listToolCalls(reader, replyId));

  function addWith(writer: Writer, { input, ...call }: NewCall): void {
    createToolCall(writer, {
      expiresAt: null,
      output: null,
      basis: null,
      place: null,
      placeName: null,
      described: null,
      ...call,
      replyId,
      chatId,
      input: canonicalJson(input),
      error: null,
      createdAt: clock().toISOString(),
    });
    claimed.add(call.id);
  }

  /** All calls of the turn like this one, oldest first. */
  function same(tool: string, input: unknown): StoredToolCall[] {
    const wanted = canonicalJson(input);
    return list().filter((call) => call.tool === tool && call.input === wanted);
  }

  function claim(tool: string, input: unknown): StoredToolCall | null {
    const found = same(tool, input).find(({ id }) => !claimed.has(id));
    if (found === undefined) return null;
    claimed.add(found.id);
    return found;
  }

  return {
    claim,
    mayRepeat: (tool, input) =>
      list().some(
        (call) =>
          !claimed.has(call.id) &&
          !call.tool.startsWith(WORKSPACE_PREFIX) &&
          (call.state === 'begun' || call.state === 'done'),
      ) ||
      same(tool, input).some(({ state }) => state === 'in_doubt') ||
      store.read((reader) => hasDoubt(reader, { chatId, tool, replyId })),
    add: (call) => store.write((writer) => addWith(writer, call)),
    async changeOnce<T>(what: string, input: unknown, change: (writer: Writer) => T) {
      const tool = `${WORKSPACE_PREFIX}${what}`;
      const known = claim(tool, input);
      if (known !== null) return JSON.parse(known.output ?? 'null') as T;
      return store.write((writer) => {
        const result = change(writer);
        const output = JSON.stringify(result);
        addWith(writer, { id: newId(), tool, input, state: 'done', output });
        return result;
      });
    },
    async askAnew(id, question) {
      const isAsked = await store.write((writer) => replaceQuestion(writer, id, question));
      if (isAsked) claimed.add(question.id);
      return isAsked ? null : (list().find((call) => call.id === id) ?? null);
    },
    begin: ({ id, tool, input, basis, isKept, settles }) =>
      store.write((writer) => {
        // In the same transaction, so nothing starts that the code which ended the turn didn't see.
        if (findUnfinishedReply(writer, chatId)?.id !== replyId) return false;
        if (isKept) updateToolCall(writer, id, { state: 'begun' });
        else addWith(writer, { id, tool, input, state: 'begun', basis });
        if (settles) settleDoubts(writer, { chatId, tool, replyId });
        return true;
      }),
    update: (id, change) => store.write((writer) => updateToolCall(writer, id, change)),
  };
}
