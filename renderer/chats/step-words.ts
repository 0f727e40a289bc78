import { DENIED_WORDS, EXPIRED_WORDS } from '../../shared/choices.ts';
import type { Step } from '../../shared/api/message.ts';

import { inWords } from '../../shared/tool-title.ts';
import { clip, visible } from '../../shared/visible.ts';

/**
 * The outcome of a step, as it is shown. `denied`, `expired`: a person was asked, and said no or nothing. `unknown`: it was cut
 * off, and may have taken effect.
 */
export type StepOutcome = 'running' | 'done' | 'failed' | 'unknown' | 'denied' | 'expired' | 'unfinished';

/** The outcome of a step. `isUnderWay`: its reply is being generated; a running step in any other reply never finished. */
export function outcomeOf({ status, error, inDoubt }: Step, isUnderWay: boolean): StepOutcome {
  if (status === 'failed' && error === DENIED_WORDS) return 'denied';
  if (status === 'failed' && error === EXPIRED_WORDS) return 'expired';
  if (inDoubt === true) return 'unknown';
  if (status === 'done' || status === 'failed') return status;
  return isUnderWay ? 'running' : 'unfinished';
}

const LONGEST_SUMMARY_CHARACTERS = 80;

/** The gist of a tool's input in one line; empty when there is nothing to say. */
export function inputSummary(input: unknown): string {
  const parts = isRecord(input)
    ? Object.entries(input).map(gistOf)
    : [typeof input === 'string' ? input : ''];
  const shown = parts.map((part) => visible(part).replace(/\s+/g, ' ').trim()).filter((part) => part !== '');
  return clip(shown.join(' · '), LONGEST_SUMMARY_CHARACTERS);
}

/** A text speaks for itself; a number or a yes needs the name of its field. */
function gistOf([name, value]: [string, unknown]): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return `${inWords(name).toLowerCase()} ${value}`;
  return value === true ? inWords(name).toLowerCase() : '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
