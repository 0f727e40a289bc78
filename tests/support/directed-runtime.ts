/**
 * A runtime whose replies are directed by the text of the message, in plain words, one or several of them with ", then":
 *
 *   stream 400 words at 200/s   words "word1 word2 …" at that pace
 *   think 40 words at 20/s      the same as what the model thinks, before it answers
 *   use a tool                  a step that runs for half a second
 *   wait 300 ms                 nothing for that long
 *   fail                        the reply fails with `model_failed`; "fail once" does so only the first time
 *   fail with model_not_found   the reply fails for that reason
 *   hang                        nothing more, until it is stopped
 *   say anything                that text
 *   write anything              that text in pieces of 1,000 characters, one every 40 ms
 *
 * Any other message is answered with "Re: " and itself. So: "stream 20 words at 50/s, then fail".
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Step } from '../../shared/api/message.ts';
import { NO_GROWTH, type Growth } from '../../shared/growth.ts';
import { TURN_ERROR_CODES, type TurnErrorCode } from '../../shared/errors.ts';
import type { AgentRuntime, TurnPorts, TurnRequest, TurnResult } from '../../server/agents/turn.ts';

/** Pieces of text come at most this often, as from an agent's thread. */
const PIECE_MS = 40;
const STEP_MS = 500;

const STREAM = /^stream (\d+) words(?: at (\d+)\/s)?$/i;
const THINK = /^think (\d+) words(?: at (\d+)\/s)?$/i;
const FAIL_WITH = /^fail with ([a-z_]+)$/i;
const WAIT = /^wait (\d+) ms$/i;
const SAY = /^say (.+)$/is;
const WRITE = /^write (.+)$/is;
const WRITTEN_CHARACTERS = 1_000;

/** The words that "stream 3 words" streams: `word1 word2 word3`. */
export const streamedWords = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `word${from + index}`).join(' ');

/** A runtime that does what each message says. */
export function createDirectedRuntime(): AgentRuntime {
  const failedOnce = new Set<string>();

  async function perform(
    act: string,
    written: Growth,
    { chatId }: TurnRequest,
    ports: TurnPorts,
  ): Promise<TurnErrorCode | 'replied'> {
    const { signal } = ports;
    const say = (text: string): void => {
      const piece = written.content === '' ? text : ` ${text}`;
      written.content += piece;
      ports.onUpdate({ text: piece });
    };
    const think = (text: string): void => {
      const piece = written.reasoning === '' ? text : ` ${text}`;
      written.reasoning += piece;
      ports.onUpdate({ text: '', reasoning: piece });
    };
    const showStep = (step: Step): void => {
      written.steps = [...written.steps.filter(({ id }) => id !== step.id), step];
      ports.onUpdate({ text: '', steps: written.steps });
    };
    const thought = THINK.exec(act);
    const stream = thought ?? STREAM.exec(act);
    if (stream !== null) {
      const add = thought === null ? say : think;
      const count = Number(stream[1]);
      const perPiece = Math.max(1, Math.round((Number(stream[2] ?? 200) * PIECE_MS) / 1000));
      const pauseMs = (perPiece * 1000) / Number(stream[2] ?? 200);
      for (let from = 1; from <= count; from += perPiece) {
        add(streamedWords(Math.min(perPiece, count - from + 1), from));
        await delay(pauseMs, undefined, { signal });
      }
      return 'replied';
    }
    const reason = FAIL_WITH.exec(act)?.[1]?.toLowerCase();
    const code = TURN_ERROR_CODES.find((known) => known === reason);
    if (code !== undefined) return code;
    const waitMs = WAIT.exec(act)?.[1];
    if (waitMs !== undefined) {
      await delay(Number(waitMs), undefined, { signal });
      return 'replied';
    }
    switch (act.toLowerCase()) {
      case 'use a tool': {
        const call = {
          id: `call-${written.steps.length + 1}`,
          tool: 'calculate',
          input: { expression: '1+1' },
        };
        showStep({ ...call, status: 'running' });
        await delay(STEP_MS, undefined, { signal });
        showStep({ ...call, status: 'done', output: { result: '2' } });
        return 'replied';
      }
      case 'fail':
        return 'model_failed';
      case 'fail once':
        if (failedOnce.has(chatId)) return 'replied';
        failedOnce.add(chatId);
        return 'model_failed';
      case 'hang':
        // The timer keeps nothing alive that a stop or a shutdown doesn't end.
        await delay(2 ** 30, undefined, { signal });
        return 'replied';
    }
    const text = WRITE.exec(act)?.[1] ?? '';
    for (let from = 0; from < text.length; from += WRITTEN_CHARACTERS) {
      const piece = text.slice(from, from + WRITTEN_CHARACTERS);
      written.content += piece;
      ports.onUpdate({ text: piece });
      await delay(PIECE_MS, undefined, { signal });
    }
    if (text !== '') return 'replied';
    const said = SAY.exec(act)?.[1];
    say(said ?? `Re: ${act}`);
    return 'replied';
  }

  async function run(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
    const written = { ...NO_GROWTH };
    for (const act of (request.messages.at(-1)?.content ?? '').split(/, then /i)) {
      const code = await perform(act.trim(), written, request, ports);
      if (code === 'replied') continue;
      return { outcome: 'failed', ...written, error: { code, message: 'The model is not there.' } };
    }
    const usage = { inputTokens: 1, outputTokens: 2 };
    return { outcome: 'replied', ...written, usage, stopReason: 'end' };
  }

  return { run, close: () => Promise.resolve() };
}
