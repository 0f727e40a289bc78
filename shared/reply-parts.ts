/** Splits a reply into texts and the tool calls between them, in order. */
import type { Step } from './api/message.ts';

/** A stretch of a reply: tools that were called, and the text that came after them (empty: none). */
export interface ReplyPart {
  steps: Step[];
  text: string;
}

/**
 * The parts of a reply, in order; the first has no steps when the reply begins with text. Steps of older replies, whose
 * position wasn't stored, come first.
 */
export function replyParts(content: string, steps: readonly Step[] = []): ReplyPart[] {
  const parts: ReplyPart[] = [{ steps: [], text: content }];
  let start = 0;
  for (const step of steps) {
    const last = parts.at(-1);
    if (!last) break;
    // A text that was cut or replaced may be shorter than before.
    const at = Math.min(Math.max(step.textBefore ?? 0, start), content.length);
    if (at > start) {
      last.text = content.slice(start, at);
      parts.push({ steps: [step], text: content.slice(at) });
      start = at;
    } else last.steps.push(step);
  }
  return parts;
}
