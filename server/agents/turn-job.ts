import type { Step } from '../../shared/api/message.ts';
import type { TurnErrorCode } from '../../shared/errors.ts';
import { nameFault } from '../fault-report.ts';
import { NO_OUTSIDE } from '../outside/outside-port.ts';
import { endedSteps } from './ended-steps.ts';
import type { Job } from './lane.ts';
import type { PortCall } from './protocol.ts';
import type { TurnPorts, TurnRequest, TurnResult } from './turn.ts';

/** A turn on its way to a result, through as many threads as it takes. */
export interface TurnJob extends Job {
  /** Threads lost while this turn may have been the cause. */
  losses: number;
  /** The turn is about to run anew: what it tells from here on replaces what it told before. */
  restart(): void;
  /** Ends the turn without a reply, keeping what was written. */
  fail(code: TurnErrorCode, message: string): void;
}

/** A call that changed the workspace. */
interface Change {
  key: string;
  result: Promise<unknown>;
  /** Made by an earlier run of the turn, and not asked for again yet. */
  repeatable: boolean;
}

/** A job that reports to `ports` and ends with `onEnd`. What `ports.onUpdate` throws is told to `onFault`. */
export function createTurnJob(
  request: TurnRequest,
  ports: TurnPorts,
  onEnd: (result: TurnResult) => void,
  onFault: (text: string) => void,
): TurnJob {
  let text = '';
  let reasoning = '';
  let steps: Step[] = [];
  let told = false;
  let restarting = false;
  const changes: Change[] = [];

  return {
    request,
    losses: 0,
    onUpdate(update) {
      if (restarting) {
        text = '';
        reasoning = '';
        steps = [];
      }
      text += update.text;
      reasoning += update.reasoning ?? '';
      steps = update.steps ?? steps;
      const whole = restarting ? { ...update, restart: true as const } : update;
      restarting = false;
      told = true;
      try {
        ports.onUpdate(whole);
      } catch (error) {
        onFault(`an update of a turn was not taken: ${nameFault(error)}`);
      }
    },
    onResult: onEnd,
    // A turn that runs anew asks for its changes again: they are made once. Outside tools see to that themselves.
    onCall(call) {
      if (call.method !== 'addNote' && call.method !== 'deleteNote') return invoke(ports, call);
      const key = JSON.stringify([call.method, call.args]);
      const made = changes.find((change) => change.repeatable && change.key === key);
      if (made !== undefined) {
        made.repeatable = false;
        return made.result;
      }
      const change: Change = { key, result: invoke(ports, call), repeatable: false };
      changes.push(change);
      change.result.catch(() => changes.splice(changes.indexOf(change), 1));
      return change.result;
    },
    restart() {
      restarting = told;
      for (const change of changes) change.repeatable = true;
      ports.onRestart?.();
    },
    fail(code, message) {
      const ended = endedSteps(steps, 'It was cut off.');
      onEnd({
        outcome: 'failed',
        content: text,
        steps: ended,
        ...(reasoning !== '' && { reasoning }),
        error: { code, message },
      });
    },
  };
}

async function invoke({ workspace, outside = NO_OUTSIDE }: TurnPorts, call: PortCall): Promise<unknown> {
  switch (call.method) {
    case 'searchMessages':
      return workspace.searchMessages(...call.args);
    case 'addNote':
      return workspace.addNote(...call.args);
    case 'findNotes':
      return workspace.findNotes(...call.args);
    case 'deleteNote':
      return workspace.deleteNote(...call.args);
    case 'announceCall':
      return outside.announceCall(...call.args);
    case 'awaitApproval':
      return outside.awaitApproval(...call.args);
    case 'runCall':
      return outside.runCall(...call.args);
  }
}
