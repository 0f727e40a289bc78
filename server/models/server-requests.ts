/** Makes the requests of one turn to a model's server: by its rules, and without what it refused. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ModelAccess } from '../connections/model-access.ts';
import { RECORDS } from '../connections/providers/index.ts';
import type { FaultKind } from './model-fault.ts';
import { findRefused, withoutRefused } from './refused-fields.ts';
import { toServerMessages, type ServerRules } from './request-messages.ts';

type Options = LanguageModelV4CallOptions;

/** The requests of a turn. */
export type ServerRequests = ReturnType<typeof createServerRequests>;

/** The requests of a turn with this access, which learns from refusals. */
export function createServerRequests(access: ModelAccess) {
  const { rules } = RECORDS[access.provider];

  function rulesNow(): ServerRules {
    const refuses = (name: string): boolean => access.refused?.includes(name) === true;
    return {
      ...rules,
      ...(refuses('no reasoning_content') && { thoughts: 'none' as const }),
      ...(refuses('reasoning_content') && { thoughts: 'required' as const }),
      hasNoSystem: refuses('instructions'),
      hasNoPictures: refuses('pictures'),
      hasNoTools: refuses('tools'),
      needsJson: refuses('arguments'),
    };
  }

  return {
    /** The request as its server takes it. */
    toSend(options: Options): Options {
      const prompt = toServerMessages(options.prompt, rulesNow());
      const request = withoutRefused({ ...options, prompt }, access.refused ?? []);
      return rules.thinksBeforeCalls === true && lacksThought(request)
        ? { ...request, reasoning: 'none' }
        : request;
    },
    /** Notes what a refusal is about; true: the request can be made without it. */
    learn(error: unknown, kind: FaultKind, options: Options): boolean {
      const name = findRefused(error, kind, options, access);
      if (name === null) return false;
      (access.refused ??= []).push(name);
      return true;
    },
  };
}

/** Whether the model is in the middle of work with tools, without what it thought before its last calls. */
function lacksThought({ prompt }: Options): boolean {
  if (prompt.at(-1)?.role !== 'tool') return false;
  const last = prompt.findLast(({ role }) => role === 'assistant');
  return last?.role === 'assistant' && last.content[0]?.type !== 'reasoning';
}
