/**
 * Every change of a chat's status is decided here and nowhere else. A chat has at most one running turn, identified by its
 * unfinished reply; `attempts` counts how often a process started that turn.
 *
 * A send makes the chat `pending` even while a turn runs: a message is waiting, and the status says so until a worker takes
 * the next one. The running turn continues: the reply grows and `lastProgressAt` moves.
 */
import { type ChatStatus, isUnsettled } from '../../shared/choices.ts';

/** Everything that decides what may happen to a chat next. */
export interface ChatState {
  status: ChatStatus;
  /** How often the running turn was started; 0 if it was released at once or none is running. */
  attempts: number;
  /** User messages that no worker has taken. */
  waiting: number;
  /** Whether there is a reply that isn't final. */
  unfinished: boolean;
}

/**
 * `send`: a user message was accepted. `take`: a worker begins the unfinished turn, or else the next waiting message. `reply`: the
 * reply is whole. `follow_up_done`: the work after it is. `fail`: the reply could not be made. `stop`: a person or client wants no
 * more of it. `recover`: a new process finds the chat. `release`: this process gives the turn back unharmed, at shutdown or when
 * the disk lost its end. `cancel`: a waiting message was removed; `waiting` says how many are left. `interrupt`: the running turn
 * is ended for the sake of the message that waits next.
 */
export type StatusEvent =
  | 'send'
  | 'take'
  | 'reply'
  | 'follow_up_done'
  | 'fail'
  | 'stop'
  | 'recover'
  | 'release'
  | 'cancel'
  | 'interrupt';

/** A turn is given up if the process died during this many attempts. */
export const MAX_ATTEMPTS = 3;

/** A chat's status after `send`, which applies in every state and leaves a running turn as it is. */
export const STATUS_AFTER_SEND: ChatStatus = 'pending';

/** The state after the event; null if the event doesn't apply, so the state stays as it is. */
export function nextState(state: ChatState, event: StatusEvent): ChatState | null {
  const isActive = isUnsettled(state.status);
  const isTurnUnderWay = state.unfinished && (state.status === 'processing' || state.status === 'pending');
  switch (event) {
    case 'send':
      return { ...state, status: STATUS_AFTER_SEND, waiting: state.waiting + 1 };
    case 'take':
      if (state.status !== 'pending') return null;
      if (state.unfinished) return { ...state, status: 'processing', attempts: state.attempts + 1 };
      if (state.waiting === 0) return null;
      return { status: 'processing', attempts: 1, waiting: state.waiting - 1, unfinished: true };
    case 'reply':
      return isTurnUnderWay ? withoutTurn(state, 'completed') : null;
    case 'follow_up_done':
      return state.status === 'completed' ? withoutTurn(state, pendingOr(state, 'idle')) : null;
    case 'fail':
      return isTurnUnderWay ? withoutTurn(state, pendingOr(state, 'failed')) : null;
    case 'stop':
      return isActive ? { status: 'stopped', attempts: 0, waiting: 0, unfinished: false } : null;
    case 'recover':
      if (!isActive) return null;
      if (!state.unfinished) return withoutTurn(state, pendingOr(state, 'idle'));
      if (state.attempts >= MAX_ATTEMPTS) return withoutTurn(state, pendingOr(state, 'failed'));
      return { ...state, status: 'pending' };
    case 'release':
      if (!isTurnUnderWay) return null;
      return { ...state, status: 'pending', attempts: Math.max(0, state.attempts - 1) };
    case 'cancel':
      if (state.status !== 'pending' || state.waiting > 0) return null;
      if (!state.unfinished) return withoutTurn(state, 'idle');
      return state.attempts > 0 ? { ...state, status: 'processing' } : null;
    case 'interrupt':
      return isTurnUnderWay && state.waiting > 0 ? withoutTurn(state, 'pending') : null;
  }
}

const pendingOr = ({ waiting }: ChatState, or: ChatStatus): ChatStatus => (waiting > 0 ? 'pending' : or);

const withoutTurn = (state: ChatState, status: ChatStatus): ChatState => ({
  status,
  attempts: 0,
  waiting: state.waiting,
  unfinished: false,
});
