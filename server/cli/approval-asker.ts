import { createInterface } from 'node:readline/promises';
import type { Message } from '../../shared/api/message.ts';
import { decide, isYes, type Question, questionsOf } from './approvals.ts';
import { type Client, RefusedError } from './client.ts';
import { shortId } from './find-chat.ts';
import { canAsk, note } from './terminal.ts';

/** Asks the person a reply's approval questions, or says how to answer them if nobody can be asked. */
export interface Asker {
  /** Asks new questions, and withdraws those that somebody else has answered. */
  look(reply: Message | null): void;
  /** Whether the person is being asked. */
  isAsking(): boolean;
  close(): void;
}

/** `makeRoom` is called before anything is printed. */
export function createAsker(client: Client, chatId: string, makeRoom: () => void): Asker {
  const told = new Set<string>();
  let waiting: Question[] = [];
  let asking: { id: string; over: AbortController } | null = null;

  const tellHow = (): void =>
    note(
      `Answer with parley answer ${shortId(chatId)} yes (or no), or in Parley's window (parley open). The reply waits for your answer.`,
    );

  async function put({ id, title, words }: Question, over: AbortController): Promise<void> {
    note(words);
    const line = createInterface({ input: process.stdin, output: process.stderr });
    // In raw mode, readline gets Ctrl+C.
    line.on('SIGINT', () => {
      over.abort();
      process.emit('SIGINT');
    });
    try {
      const answer = await line.question(`${title}: allow it? [y/N] `, { signal: over.signal });
      await decide(client, chatId, id, { decision: isYes(answer) ? 'approve' : 'deny' });
    } catch (error) {
      if (over.signal.aborted) {
        process.stderr.write('\n');
        return;
      }
      // Somebody else was faster, or this key isn't allowed to answer.
      if (error instanceof RefusedError && error.code === 'approval_not_found') return;
      note(error instanceof Error ? error.message : String(error));
      tellHow();
    } finally {
      line.close();
    }
  }

  function next(): void {
    if (asking !== null) return;
    const question = waiting.find(({ id }) => !told.has(id));
    if (question === undefined) return;
    told.add(question.id);
    makeRoom();
    if (!canAsk()) {
      note(`Parley asks first. ${question.words}`);
      tellHow();
      next();
      return;
    }
    const over = new AbortController();
    asking = { id: question.id, over };
    void put(question, over).finally(() => {
      asking = null;
      next();
    });
  }

  return {
    look(reply) {
      waiting = reply === null ? [] : questionsOf(reply);
      if (asking !== null && !waiting.some(({ id }) => id === asking?.id)) asking.over.abort();
      next();
    },
    isAsking: () => asking !== null,
    close: () => asking?.over.abort(),
  };
}
