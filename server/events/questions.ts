import { plainLine } from '../lib/plain-text.ts';
import type { Step } from '../../shared/api/message.ts';
import type { Asking } from '../turns/live-replies.ts';
import { findChat } from '../store/chat-repository.ts';
import type { Store } from '../store/types.ts';
import { createEndings } from './endings.ts';

/** A tool that asks a person first. */
export interface Question {
  /** The approval's id. */
  id: string;
  chatId: string;
  workspaceId: string;
  /** The chat's title, as it is now. */
  title: string;
  /** The tool's name. */
  tool: string;
  /** What would be done, in one line of plain words, 160 characters at most; empty: the tool says it all. */
  text: string;
}

/** Whom questions are told. */
export interface QuestionListener {
  /** Something is asked. */
  asked(question: Question): void;
  /** The question of that id is answered, wherever that was, or over otherwise. */
  over(id: string): void;
}

const MAX_TEXT_CHARACTERS = 160;

/** What of the questions a host is told. */
export interface QuestionWatch {
  /** Has the listener told each question and its end, until what this returns is called. */
  on(listener: QuestionListener): () => void;
  close(): void;
}

/** Tells of questions; what listeners throw goes to `onError`. */
export function createQuestionWatch(deps: {
  store: Store;
  processor: Asking;
  onError: (error: unknown) => void;
}): QuestionWatch {
  const { store, processor, onError } = deps;
  const endings = createEndings();

  function describe(chatId: string, { approval, tool }: Step): Question | null {
    const chat = store.read((reader) => findChat(reader, chatId));
    if (chat === null || approval === undefined) return null;
    const { workspaceId, title } = chat;
    const text = plainLine(approval.summary ?? '', MAX_TEXT_CHARACTERS);
    return { id: approval.id, chatId, workspaceId, title, tool: approval.call?.tool ?? tool, text };
  }

  return {
    on(listener) {
      const open = new Map<string, Set<string>>();
      const stop = processor.onAsking((chatId, waiting) => {
        const before = open.get(chatId) ?? new Set();
        const now = new Set(waiting.flatMap(({ approval }) => approval?.id ?? []));
        if (now.size === 0) open.delete(chatId);
        else open.set(chatId, now);
        try {
          for (const id of before) if (!now.has(id)) listener.over(id);
          for (const step of waiting) {
            const question = before.has(step.approval?.id ?? '') ? null : describe(chatId, step);
            if (question !== null) listener.asked(question);
          }
        } catch (error) {
          onError(error);
        }
      });
      return endings.keep(stop);
    },
    close() {
      endings.endAll();
    },
  };
}
