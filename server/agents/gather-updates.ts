import type { Step } from '../../shared/api/message.ts';
import type { TurnUpdate } from './turn.ts';

/** Updates on their way to the main thread. */
export interface GatheredUpdates {
  add: (update: TurnUpdate) => void;
  /** Forgets what has not been sent, and sends no more. */
  drop(): void;
}

/**
 * Gathers updates and sends them as one, at most every `everyMs` and not before that time has passed: a quick turn sends
 * none and lets its result speak.
 */
export function gatherUpdates(send: (update: TurnUpdate) => void, everyMs: number): GatheredUpdates {
  let text = '';
  let reasoning = '';
  let steps: Step[] | null = null;
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    const update: TurnUpdate = {
      text,
      ...(reasoning !== '' && { reasoning }),
      ...(steps !== null && { steps }),
    };
    text = '';
    reasoning = '';
    steps = null;
    send(update);
  };
  return {
    add(update) {
      text += update.text;
      reasoning += update.reasoning ?? '';
      steps = update.steps ?? steps;
      timer ??= setTimeout(flush, everyMs);
    },
    drop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
