import type { Step, StepApproval } from '../../../shared/api/message.ts';
import { MAX_REASONING_CHARACTERS, MAX_REPLY_CHARACTERS } from '../../../shared/limits.ts';
import {
  applyUpdate,
  NO_GROWTH,
  type Growth,
  type GrowthUpdate,
  type Round,
  type Signed,
} from '../../../shared/growth.ts';
import { beginningOf } from '../../lib/beginning-of.ts';
import { storableStep } from '../../store/storable-reply.ts';
import type { HistoryMessage } from '../../agents/turn.ts';
import type { CallOutcome, Picture } from '../../agents/call-tool.ts';
import { createReplyClock } from './reply-clock.ts';

/** A reply being written. Each change is reported at once, in order, until it is closed. */
export type GrowingReply = ReturnType<typeof createReply>;

/** An empty reply that reports its changes to `onUpdate`. */
export function createReply(onUpdate: (update: GrowthUpdate) => void) {
  let growth = NO_GROWTH;
  const clock = createReplyClock();
  let newThought = false;
  let closed = false;
  let isFull = false;
  let rounds: Round[] = [];
  /** Those that steps gave, by step id. */
  const pictures = new Map<string, readonly Picture[]>();

  const grow = (change: GrowthUpdate): void => {
    const { timing } = clock;
    const update = timing === growth.timing ? change : { ...change, ...(timing && { timing }) };
    growth = applyUpdate(growth, update);
    if (change.steps !== undefined)
      clock.setWaiting(change.steps.some(({ status }) => status === 'awaiting_approval'));
    if (!closed) onUpdate(update);
  };
  /** As much of the text as fits, separated from the block before it. */
  const asReasoning = (text: string): string => {
    const { reasoning } = growth;
    const gap = newThought && reasoning !== '' && !reasoning.endsWith('\n') ? '\n\n' : '';
    if (text === '') return '';
    newThought = false;
    return beginningOf(gap + text, Math.max(0, MAX_REASONING_CHARACTERS - reasoning.length));
  };
  const end = (step: Step, ended: Partial<Step>): void => {
    replace(step, storableStep({ ...plain(step), ...ended }));
  };
  const openStep = (id: string): Step | undefined =>
    growth.steps.find((step) => step.id === id && isOpen(step));
  const replace = (step: Step, by: Step): void => {
    grow({ text: '', steps: growth.steps.map((other) => (other === step ? by : other)) });
  };

  const changeRound = (change: (round: Round) => Partial<Round>): void => {
    rounds = rounds.map((round, at) => (at === rounds.length - 1 ? { ...round, ...change(round) } : round));
  };
  const addThought = (text: string, signed: Signed | undefined): void =>
    changeRound(({ thoughts }) => {
      const last: Round['thoughts'][number] = thoughts.at(-1) ?? { text: '' };
      return {
        thoughts: [...thoughts.slice(0, -1), { ...last, text: last.text + text, ...(signed && { signed }) }],
      };
    });
  /** Rounds only matter in replies with steps. */
  const reportRounds = (): void => {
    if (growth.steps.length > 0) grow({ text: '', rounds: storableRounds(rounds) });
  };

  return {
    /** Its text is at most {@link MAX_REPLY_CHARACTERS} long, its reasoning {@link MAX_REASONING_CHARACTERS}. */
    get growth(): Growth {
      return growth;
    },
    /** As a message of the conversation, for the next round. */
    get message(): HistoryMessage {
      const { content, steps } = growth;
      return { role: 'assistant', content, steps, rounds };
    },
    /** The pictures that its steps gave, by step id. */
    pictures: pictures as ReadonlyMap<string, readonly Picture[]>,
    /** More text arrived than fits into it. */
    get isFull(): boolean {
      return isFull;
    },
    /** Measures it. Measurements are reported with the next change. */
    clock,
    /** Starts another round of model work, whose text is separated from the text before. */
    beginRound(): void {
      const { content, steps } = growth;
      rounds = [...rounds, { textFrom: content.length, stepsFrom: steps.length, thoughts: [], calls: [] }];
      reportRounds();
    },
    /** Text beyond {@link MAX_REPLY_CHARACTERS} is left out. */
    addText(text: string): void {
      if (text === '') return;
      const { content } = growth;
      const isFirst = content !== '' && content.length === rounds.at(-1)?.textFrom;
      const gap = isFirst && !content.endsWith('\n') ? '\n\n' : '';
      const room = MAX_REPLY_CHARACTERS - content.length;
      isFull ||= gap.length + text.length > room;
      const added = beginningOf(gap + text, room);
      if (added !== '') grow({ text: added });
    },
    /** The text of this round turned out to be reasoning. */
    turnTextToThought(): void {
      const textFrom = rounds.at(-1)?.textFrom ?? 0;
      const text = growth.content.slice(textFrom).trim();
      newThought = true;
      changeRound(({ thoughts }) => ({ thoughts: [...thoughts, { text: '' }] }));
      addThought(text, undefined);
      grow({ text: '', keeps: textFrom, reasoning: asReasoning(text) });
    },
    /** Starts another block of reasoning, separated from the one before. A signature may come with any part of it. */
    beginThought(signed?: Signed): void {
      newThought = true;
      const textAt = growth.content.length;
      changeRound(({ thoughts, textFrom }) => ({
        thoughts: [...thoughts, { text: '', ...(textAt > textFrom && { textAt }) }],
      }));
      addThought('', signed);
    },
    /** Reasoning beyond {@link MAX_REASONING_CHARACTERS} is left out, and the signature of what was cut. */
    addReasoning(text: string, signed?: Signed): void {
      addThought(text, signed);
      const reasoning = asReasoning(text);
      if (reasoning !== '') grow({ text: '', reasoning });
    },
    endThought(signed?: Signed): void {
      addThought('', signed);
      reportRounds();
    },
    /** Notes a tool call as running; returns the id of its step, which is unique in this reply. */
    beginStep(callId: string, tool: string, input: unknown, call: Round['calls'][number] = {}): string {
      const { content, steps } = growth;
      const taken = steps.some((step) => step.id === callId);
      const id = taken ? `${callId}-${steps.length}` : callId;
      const step = storableStep({ id, tool, status: 'running', input, textBefore: content.length });
      changeRound(({ calls }) => ({ calls: [...calls, call] }));
      grow({ text: '', steps: [...steps, step], rounds: storableRounds(rounds) });
      return id;
    },
    /** The approval that the step of that id waits for; null: none any more. After the step's end it is ignored. */
    setApproval(id: string, approval: StepApproval | null): void {
      const step = openStep(id);
      if (step === undefined || step.approval?.id === approval?.id) return;
      replace(step, approval === null ? plain(step) : { ...step, status: 'awaiting_approval', approval });
    },
    /** Ends the step of that id, if it runs. */
    endStep(id: string, outcome: CallOutcome): void {
      const step = openStep(id);
      if (step === undefined) return;
      if ('error' in outcome) end(step, { status: 'failed', ...outcome });
      else {
        const { pictures: seen = [], ...result } = outcome;
        pictures.set(id, seen);
        end(step, { status: 'done', ...result });
      }
    },
    /** Why the model hasn't answered yet, in words; empty: no reason. Reported even if unchanged, to show that the turn isn't stuck. */
    setWaiting(what: string): void {
      grow({ text: '', ...(what !== (growth.waiting ?? '') && { waiting: what }) });
    },
    /** Marks running steps as failed, and reports no more changes. */
    close(reason: string): void {
      if (!closed) {
        clock.end();
        closed = true;
        grow({ text: '' });
      }
      for (const step of growth.steps.filter(isOpen)) end(step, { status: 'failed', error: reason });
    },
  };
}

/** As much of the thoughts as is kept. A signature is only valid for the whole text. */
function storableRounds(rounds: readonly Round[]): Round[] {
  let room = MAX_REASONING_CHARACTERS;
  return rounds.map((round) => ({
    ...round,
    thoughts: round.thoughts.map((thought) => {
      const { signed, ...unsigned } = thought;
      const { text } = thought;
      const left = room;
      room -= text.length + (signed === undefined ? 0 : JSON.stringify(signed).length);
      return room < 0 ? { ...unsigned, text: beginningOf(text, Math.max(0, left)) } : thought;
    }),
  }));
}

const isOpen = ({ status }: Step): boolean => status === 'running' || status === 'awaiting_approval';

/** A running step without an approval. */
function plain({ approval: _, ...step }: Step): Step {
  return { ...step, status: 'running' };
}
