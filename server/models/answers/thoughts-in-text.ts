/**
 * Finds reasoning in what a model writes. Servers that don't know a model's marks pass `<think>…</think>` and the like on as text, and some
 * templates write the first mark themselves, so that only the last one arrives: then all text before it was reasoning.
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { anyMark, firstMark, partOfMark } from './marks.ts';
import { repairedArguments, unwrapArguments } from './repair-arguments.ts';

type Part = LanguageModelV4StreamPart;

/** The kind of the part that says that the text of this round, so far, was reasoning. */
export const TEXT_WAS_THOUGHT = 'parley.text-was-thought';

const NAMES = ['think', 'thinking', 'thought', 'reasoning', 'seed:think'];
/** How reasoning begins and ends. Sources: the templates of Magistral, Kimi, Command A, Apertus, OpenThinker, gpt-oss and Gemma. */
const MARKS: readonly (readonly [opening: string, closing: string])[] = [
  ...NAMES.map((name) => [`<${name}>`, `</${name}>`] as const),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|channel|>commentary<|message|>', '<|end|>'],
  ['<|channel>thought', '<channel|>'],
];
/** Marks around the text itself, which such templates write after reasoning or in place of it. */
const TEXT_OPENINGS = ['<|start|>assistant', '<|channel|>final<|message|>', '<|START_RESPONSE|>'];
const TEXT_CLOSINGS = ['<|return|>', '<|END_RESPONSE|>'];
const OPENINGS = [...MARKS.map(([opening]) => opening), ...TEXT_OPENINGS];
/** What may end reasoning whose beginning the template wrote. `<|end|>` ends any text of some models. */
const CLOSINGS = MARKS.map(([, closing]) => closing).filter((mark) => mark !== '<|end|>');
const ANY_CLOSING = anyMark(CLOSINGS);

/** What a text is: not known yet, since it may begin with a mark; reasoning, up to that mark; or text. */
type Within = { is: 'start' } | { is: 'thought'; closing: string } | { is: 'text' };

/** Turns reasoning in a model's text into reasoning parts, part by part, and repairs the arguments of its calls. For one round. */
export function findThoughts(): (part: Part) => Part[] {
  let within: Within = { is: 'start' };
  /** What was read and not passed on, since it may be the beginning of a mark. */
  let held = '';
  let hasMarks = false;
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
        const opening = OPENINGS.find((mark) => text.startsWith(mark));
        if (opening !== undefined) {
          const [, closing] = MARKS.find((marks) => marks[0] === opening) ?? [];
          if (closing !== undefined) within = { is: 'thought', closing };
          held = text.slice(opening.length);
          hasMarks = true;
          return [];
        }
        const mayOpen = !isLast && OPENINGS.some((mark) => mark.startsWith(text));
        if (mayOpen) return [];
        within = { is: 'text' };
        // The blank lines between a mark and the text belong to the mark.
        if (hasMarks) held = text;
        return [];
      }
      case 'thought': {
        const at = held.indexOf(within.closing);
        const thought =
          at === -1 ? take(isLast ? 0 : partOfMark(held, [within.closing])) : take(held.length - at);
        if (at === -1) return think(thought);
        held = held.slice(within.closing.length);
        within = { is: 'start' };
        return [...think(thought.trimEnd()), ...endThought()];
      }
      case 'text': {
        if (hasMarks) {
          if (isLast) held = TEXT_CLOSINGS.reduce((rest, mark) => rest.replace(mark, ''), held);
          return say(id, take(isLast ? 0 : partOfMark(held, TEXT_CLOSINGS)));
        }
        // A mark that ends reasoning without a beginning.
        const found = firstMark(ANY_CLOSING, shown, held, isLast);
        if (found === null) return say(id, take(isLast ? 0 : partOfMark(held, CLOSINGS)));
        const parts = say(id, take(held.length - found.at));
        held = held.slice(found.mark.length);
        within = { is: 'start' };
        hasMarks = true;
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

  function say(id: string, text: string): Part[] {
    if (text === '') return [];
    if (!hasMarks) shown += text;
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

  return readPart;
}
