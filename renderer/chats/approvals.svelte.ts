/**
 * A person's answers to tools that ask first, while they are sent and if they are refused. They live outside the cards,
 * which are removed when their part of the conversation is out of view.
 */
import { SvelteMap } from 'svelte/reactivity';
import type { ApiClient } from '../api/client.ts';
import { ApiProblem, ConnectionProblem } from '../api/problem.ts';
import type { PendingStep } from './approval-words.ts';
import { describeProblem } from '../api/problem-words.ts';
import { words } from '../lib/words/index.ts';
import type { Conversation } from './conversation.svelte.ts';

/** The possible answers: yes for this once, yes from now on, no. */
export type Answer = 'once' | 'always' | 'deny';

/** The state of an approval. */
export interface AnswerState {
  /** The answer being sent, or accepted; null: there is none. */
  given: Answer | null;
  /** Why the last one was refused, in words. */
  problem: string | null;
  /** No answer is needed any more. */
  isOver: boolean;
}

/** What {@link Approvals} needs of its surroundings. */
export interface ApprovalPorts {
  api: Pick<ApiClient, 'answerApproval'>;
  conversation: () => Pick<Conversation, 'chatId' | 'note'>;
}

const UNANSWERED: AnswerState = { given: null, problem: null, isOver: false };

export class Approvals {
  readonly #ports: ApprovalPorts;
  readonly #states = new SvelteMap<string, AnswerState>();

  constructor(ports: ApprovalPorts) {
    this.#ports = ports;
  }

  stateOf({ approval }: PendingStep): AnswerState {
    return this.#states.get(approval.id) ?? UNANSWERED;
  }

  /**
   * Answers a step of the open chat that waits; does nothing while an answer is being sent or after one was accepted. Never
   * rejects: a refusal is in {@link stateOf}.
   */
  async answer(step: PendingStep, given: Answer): Promise<void> {
    const { api, conversation } = this.#ports;
    const open = conversation();
    const { chatId } = open;
    const { given: before, isOver } = this.stateOf(step);
    if (chatId === null || before !== null || isOver) return;
    const { id } = step.approval;
    this.#states.set(id, { ...UNANSWERED, given });
    try {
      const decision = given === 'deny' ? 'deny' : 'approve';
      const remember = given === 'always' && { remember: true };
      open.note(await api.answerApproval(chatId, id, { decision, ...remember }));
    } catch (problem) {
      this.#states.set(id, this.#refused(step, problem));
    }
  }

  #refused({ approval }: PendingStep, problem: unknown): AnswerState {
    const { notTaken, tooLate, answeredElsewhere } = words.approval;
    if (problem instanceof ConnectionProblem) {
      return { ...UNANSWERED, problem: notTaken(words.message.offline) };
    }
    const code = problem instanceof ApiProblem ? problem.code : null;
    if (code === 'conflict') {
      const isLate = Date.parse(approval.expiresAt) <= Date.now();
      return { given: null, problem: isLate ? tooLate : answeredElsewhere, isOver: true };
    }
    const isOver = code === 'approval_not_found' || code === 'chat_not_found';
    const reason = describeProblem(problem);
    return { given: null, problem: isOver ? reason : notTaken(reason), isOver };
  }
}
