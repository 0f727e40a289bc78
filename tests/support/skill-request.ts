import type { EarlierExchange, Request } from '../../server/models/offline/skill.ts';

/** A request as a skill gets it: noon UTC on Friday 20 November 2026, in Paris, with no material and no history. */
export function asRequest(text: string, parts: Partial<Request> = {}): Request {
  return {
    text,
    material: null,
    message: text,
    history: [],
    now: new Date('2026-11-20T12:00:00.000Z'),
    timeZone: 'Europe/Paris',
    ...parts,
  };
}

/** An earlier exchange, its steps all done. */
export function exchange(
  question: string,
  answer: string,
  steps: { tool: string; input: unknown; output: unknown }[] = [],
): EarlierExchange {
  return { question, answer, steps: steps.map((step, at) => ({ id: `${at}`, status: 'done', ...step })) };
}
