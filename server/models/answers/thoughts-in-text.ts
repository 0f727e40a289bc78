/**
 * Finds reasoning in what a model writes. Servers that don't know a model's marks pass `<think>…</think>` on as text, and some
 * templates write the first mark themselves, so that only the last one arrives: then all text before it was reasoning.
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { repairedArguments, unwrapArguments } from './repair-arguments.ts';

type Part = LanguageModelV4StreamPart;

/** The kind of the part that says that the text of this round, so far, was reasoning. */
export const TEXT_WAS_THOUGHT = 'parley.text-was-thought';

const NAMES = ['think', 'thinking', 'thought', 'reasoning', 'seed:think'] as const;
const OPENINGS = [...NAMES.map((name) => `<${name}>`), '[THINK]'];
const CLOSINGS = [...NAMES.map((name) => `</${name}>`), '[/THINK]'];
const LONGEST_MARK = Math.max(...CLOSINGS.map(({ length }) => length));

/** What a text is: not known yet, since it may begin with a mark; reasoning, up to that mark; or text. */
type Within = { is: 'start' } | { is: 'thought'; closing: string } | { is: 'text' };

/** Turns reasoning in a model's text into reasoning parts, and repairs the arguments of its calls. For one round. */
export function findThoughts(): TransformStream<Part, Part> {
  let within: Within = { is: 'start' };
  /** What was read and not passed on, since it may be the beginning of a mark. */
  let held = '';
  let hasThought = false;
  /** The text that was passed on, for as long as it may turn out to be reasoning. */
  let shown = '';
  let opening: Extract<Part, { type: 'text-start' }> | null = null;
  let thoughts = 0;
  let isThoughtOpen = false;

  function read(id: string, isLast: boolean): Part[] {
    const parts: Part[] = [];
    for (let before = ''; before !== `${within.is}${held}`;) {
      before = `${within.is}${held}`;
      parts.push(...readOn(id, isLast));
    }
    return parts;
  }

  function readOn(id: string, isLast: boolean): Part[] {
    switch (within.is) {
      case 'start': {
        const text = held.trimStart();
        const at = OPENINGS.findIndex((mark) => text.startsWith(mark));
        if (at !== -1) {
          within = { is: 'thought', closing: CLOSINGS[at] ?? '' };
          held = text.slice(OPENINGS[at]?.length);
          hasThought = true;
          return [];
        }
        const mayOpen = !isLast && OPENINGS.some((mark) => mark.startsWith(text));
        if (mayOpen) return [];
        within = { is: 'text' };
        // The blank lines between a mark and the text belong to the mark.
        if (hasThought) held = text;
        return [];
      }
      case 'thought': {
        const at = held.indexOf(within.closing);
        const thought = at === -1 ? take(isLast ? 0 : partOfMark([within.closing])) : take(held.length - at);
        if (at === -1) return think(thought);
        held = held.slice(within.closing.length);
        within = { is: 'start' };
        return [...think(thought.trimEnd()), ...endThought()];
      }
      case 'text': {
        if (hasThought) return say(id, take(0));
        const found = orphanIn(shown, held, isLast);
        if (found === null) return say(id, take(isLast ? 0 : partOfMark(CLOSINGS)));
        const parts = say(id, take(held.length - found.at));
        held = held.slice(found.mark.length);
        within = { is: 'start' };
        hasThought = true;
        if (shown.trim() === '') return parts;
        return [...parts, { type: 'custom', kind: TEXT_WAS_THOUGHT }];
      }
    }
  }

  /** All that is held but so many characters. */
  function take(left: number): string {
    const taken = held.slice(0, held.length - left);
    held = held.slice(held.length - left);
    return taken;
  }

  /** How many characters at the end may be the beginning of a mark. */
  function partOfMark(marks: readonly string[]): number {
    for (let length = Math.min(held.length, LONGEST_MARK); length > 0; length -= 1) {
      const end = held.slice(-length);
      // A whole mark at the end: what follows decides whether it is one.
      if (marks.some((mark) => mark.startsWith(end))) return length;
    }
    return 0;
  }

  function say(id: string, text: string): Part[] {
    if (text === '') return [];
    if (!hasThought) shown += text;
    return [...open(), { type: 'text-delta', id, delta: text }];
  }

  function think(text: string): Part[] {
    if (text === '') return [];
    const start: Part[] = isThoughtOpen
      ? []
      : [{ type: 'reasoning-start', id: `thought-${(thoughts += 1)}` }];
    isThoughtOpen = true;
    return [...start, { type: 'reasoning-delta', id: `thought-${thoughts}`, delta: text }];
  }

  function endThought(): Part[] {
    if (!isThoughtOpen) return [];
    isThoughtOpen = false;
    return [{ type: 'reasoning-end', id: `thought-${thoughts}` }];
  }

  function readPart(part: Part): Part[] {
    switch (part.type) {
      case 'text-start':
        opening = part;
        return [];
      case 'text-delta':
        held += part.delta;
        return part.delta === '' && part.providerMetadata !== undefined
          ? [...open(), part]
          : read(part.id, false);
      case 'text-end': {
        const parts = [...read(part.id, true), ...endThought()];
        return open().length === 0 ? [...parts, part] : parts;
      }
      case 'tool-input-delta':
        return [{ ...part, delta: unwrapArguments(part.delta) }];
      case 'tool-call': {
        const input = unwrapArguments(part.input);
        return [{ ...part, input: repairedArguments(input) ?? input }];
      }
      case 'finish': {
        const { raw, unified } = part.finishReason;
        // Mistral's library doesn't know the word.
        const isFiltered = raw === 'content_filter';
        return [{ ...part, finishReason: { raw, unified: isFiltered ? 'content-filter' : unified } }];
      }
      default:
        return [part];
    }
  }

  /** The beginning of a text that hasn't begun yet. */
  function open(): Part[] {
    const start = opening === null ? [] : [opening];
    opening = null;
    return start;
  }

  return new TransformStream<Part, Part>({
    transform(part, out) {
      for (const one of readPart(part)) out.enqueue(one);
    },
  });
}

/**
 * The first mark in `text` that ends reasoning without a beginning; null: none. A model that writes about such marks puts them
 * into code or quotes, or between words.
 */
function orphanIn(before: string, text: string, isLast: boolean): { at: number; mark: string } | null {
  for (const { 0: mark, index: at } of text.matchAll(ANY_CLOSING)) {
    const [left, right] = [before + text.slice(0, at), text.slice(at + mark.length)];
    // What follows isn't there yet.
    if (right === '' && !isLast) return null;
    const isMentioned = /["'“‘`(]$/.test(left) || (/[^\S\n]$/.test(left) && /^[^\S\n]/.test(right));
    if (!isMentioned && !isInCode(left)) return { at, mark };
  }
  return null;
}

const ANY_CLOSING = new RegExp(CLOSINGS.map((mark) => mark.replace(/[[\]/]/g, '\\$&')).join('|'), 'g');

/** Whether a text ends within code. */
function isInCode(text: string): boolean {
  const fences = text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
  const ticks = text.slice(text.lastIndexOf('\n') + 1).match(/`/g)?.length ?? 0;
  return fences % 2 === 1 || ticks % 2 === 1;
}
