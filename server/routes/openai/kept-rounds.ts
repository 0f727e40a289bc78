/**
 * What models want back with their calls, for programs that bring their own tools: OpenAI's format has no room for a provider's
 * signatures, and most programs drop what they don't know. So it is kept here, and put back when a call returns. In memory, the
 * latest rounds only: a model can go on without.
 */
import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Growth, Round, Signed } from '../../../shared/growth.ts';
import { withThoughts } from '../../turns/thread/model-messages.ts';

/** Who asks which model: nobody else gets what is kept. */
export interface RoundScope {
  holder: string;
  model: string;
}

const MOST_ROUNDS = 200;
/** A round of more characters isn't kept. */
const MAX_CHARACTERS = 100_000;

/** The rounds that are kept for a service's clients. */
export type KeptRounds = ReturnType<typeof createKeptRounds>;

/** No round is kept yet. */
export function createKeptRounds() {
  const rounds = new Map<string, Round>();
  const keyOf = ({ holder, model }: RoundScope, callId: string): string =>
    JSON.stringify([holder, model, callId]);

  return {
    keep(scope: RoundScope, { steps: [first], rounds: [round] = [] }: Growth): void {
      const text = JSON.stringify(round ?? {});
      const isWanted = text.includes('"signed":') && text.length <= MAX_CHARACTERS;
      if (first === undefined || round === undefined || !isWanted) return;
      rounds.set(keyOf(scope, first.id), round);
      const [oldest = ''] = rounds.keys();
      if (rounds.size > MOST_ROUNDS) rounds.delete(oldest);
    },
    /** The prompt, with what was kept of the calls in it. */
    restore: (scope: RoundScope, prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
      prompt.map((message) => {
        if (message.role !== 'assistant') return message;
        const calls = message.content.filter((part) => part.type === 'tool-call');
        const round = calls[0] && rounds.get(keyOf(scope, calls[0].toolCallId));
        if (round === undefined) return message;
        const signedCalls = calls.map((call, index) => ({
          ...call,
          providerOptions: { ...toOptions(round.calls[index]?.signed), ...call.providerOptions },
        }));
        const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
        return { ...message, content: [...withThoughts(text, round.thoughts, 0, toOptions), ...signedCalls] };
      }),
  };
}

const toOptions = (signed: Signed = {}): SharedV4ProviderOptions => signed as SharedV4ProviderOptions;
