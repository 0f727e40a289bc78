import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ReadyRehearsal } from '../../../shared/models.ts';
import { ModelError } from '../model-error.ts';
import type { StreamingModel } from '../model.ts';
import type { Act, ScriptPart, RehearsalCue } from './acts.ts';
import { ScriptError } from './directives.ts';
import { play } from './play.ts';
import { READY_SCRIPTS } from './ready.ts';
import { SAMPLE_SCRIPT } from './sample.ts';
import { findScript, readScript } from './script.ts';

/**
 * The model that plays a script: a ready one, or that of the chat's first message, in a fenced block `rehearsal`, or else the
 * sample. Each user message plays one part, whatever it says. Nothing depends on chance: the same chat goes the same way each time.
 */
export function createRehearsalModel(cue: RehearsalCue, ready: ReadyRehearsal | null = null): StreamingModel {
  return {
    async doStream(options) {
      const { abortSignal: signal = new AbortController().signal } = options;
      signal.throwIfAborted();
      const { acts, usage } = toPlay(partOf(cue, ready), options);
      return { stream: play(acts, usage, signal) };
    },
  };
}

/** The part that the turn plays. If the script is invalid, the reply says why. */
function partOf({ opening, turn }: RehearsalCue, ready: ReadyRehearsal | null): ScriptPart {
  try {
    const script = ready === null ? (findScript(opening) ?? SAMPLE_SCRIPT) : READY_SCRIPTS[ready].script;
    const parts = readScript(script);
    return parts[turn % parts.length] as ScriptPart;
  } catch (error) {
    throw error instanceof ScriptError ? new ModelError('model_failed', error.message) : error;
  }
}

/** What one call of the model plays: a round, or without tools all rounds, without their calls. */
function toPlay(
  { rounds, usage }: ScriptPart,
  { prompt, tools = [], toolChoice }: LanguageModelV4CallOptions,
): { acts: Act[]; usage: ScriptPart['usage'] } {
  if (tools.length === 0 || toolChoice?.type === 'none') {
    return { acts: rounds.flat().filter(({ act }) => act !== 'call'), usage };
  }
  const round = roundsDone(prompt);
  // Usage is summed over all rounds, so it is reported only once.
  return { acts: rounds[round] ?? [], usage: round >= rounds.length - 1 ? usage : null };
}

/** Rounds of tool calls since the last user message. */
function roundsDone(prompt: LanguageModelV4Prompt): number {
  const asked = prompt.findLastIndex(({ role }) => role === 'user');
  return prompt.slice(asked + 1).filter(({ role }) => role === 'tool').length;
}
