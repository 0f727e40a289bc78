/** The texts on which a pattern is slowest, made from its own parts: each part again and again, after what comes before it. */
import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

/** Ends in nothing that most patterns accept, so that every way to match has to be tried. */
const SUFFIX = '\u0000\n\u0000';
const CHARACTERS = [
  'x',
  ' ',
  '1',
  ',',
  '-',
  '!',
  '\n',
  '"',
  '`',
  '/',
  '=',
  '[',
  '{',
  '<',
  '\u00e9',
  '\u6771',
  '\r',
];
const MOST_PARTS = 6;

/** Longer and longer, so that a slow pattern shows before it takes forever. */
const LENGTHS = [30, 500, 4_000, 100_000];
/** A part that takes less at each length but the last, in milliseconds, isn't tried with the last. */
const NOTHING_MS = 0.5;

type Part = { prefix: string; pump: string };

/** The parts of a pattern that may stand again and again. */
function partsOf(pattern: RegExp): Part[] {
  const { source, flags } = pattern;
  const parser = new RegExpParser();
  const tree = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const parts = new Map<string, Part>();
  const accepts = (raw: string): string[] => {
    const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
    return CHARACTERS.filter((character) => one.test(character));
  };
  const sample = (node: AST.Element, which: number): string => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterClass':
      case 'CharacterSet':
        return accepts(node.raw).at(-which) ?? firstOf(node) ?? '';
      case 'Quantifier':
        return sample(node.element, which).repeat(Math.max(1, Math.min(node.min, 50)));
      case 'Group':
      case 'CapturingGroup': {
        const chosen = node.alternatives[Math.min(which, node.alternatives.length - 1)];
        return chosen === undefined ? '' : joined(chosen.elements, which);
      }
      default:
        return '';
    }
  };
  const joined = (elements: readonly AST.Element[], which: number): string =>
    elements.map((element) => sample(element, which)).join('');
  const add = (prefix: string, pump: string): void => {
    // What stands first may be matched by another part of the pattern.
    for (const first of pump === '' ? [] : [prefix, `\u0000${prefix}`])
      parts.set(`${first}\u0001${pump}`, { prefix: first, pump });
  };
  const visit = (alternatives: readonly AST.Alternative[], before: string): void => {
    for (const { elements } of alternatives) {
      for (const [at, element] of elements.entries()) {
        const prefix = before + joined(elements.slice(0, at), 0);
        for (let end = at + 1; end <= Math.min(elements.length, at + MOST_PARTS); end += 1) {
          for (const which of [0, 1]) add(prefix, joined(elements.slice(at, end), which));
        }
        visitElement(element, prefix);
      }
    }
  };
  const visitElement = (element: AST.Element, prefix: string): void => {
    if (element.type === 'Quantifier') visitElement(element.element, prefix);
    else if (element.type === 'CharacterClass' || element.type === 'CharacterSet')
      for (const character of accepts(element.raw)) add(prefix, character);
    else if ('alternatives' in element) visit(element.alternatives, prefix);
  };
  visit(tree.alternatives, '');
  return [...parts.values()];
}

function firstOf(node: AST.CharacterClass | AST.CharacterSet): string | undefined {
  if (node.type === 'CharacterSet') return undefined;
  for (const element of node.elements) {
    if (element.type === 'Character') return String.fromCodePoint(element.value);
    if (element.type === 'CharacterClassRange') return String.fromCodePoint(element.min.value);
  }
  return undefined;
}

/** How long one use of a pattern may take, in milliseconds: hundreds of times what a linear one needs for the longest text. */
const MOST_MS = 100;

/** The part of a text that makes a pattern take more than linear time; null: there is none. */
export function slowPart(pattern: RegExp): string | null {
  const use = (text: string): number => {
    const start = performance.now();
    pattern.lastIndex = 0;
    if (pattern.global) text.replace(pattern, '');
    else pattern.exec(text);
    return performance.now() - start;
  };
  for (const { prefix, pump } of partsOf(pattern)) {
    for (const [at, length] of LENGTHS.entries()) {
      const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + SUFFIX;
      const ms = use(text);
      // Twice more, in case the computer was busy with something else.
      if (ms > MOST_MS && use(text) > MOST_MS && use(text) > MOST_MS)
        return `${JSON.stringify(prefix)} and ${JSON.stringify(pump)} again and again`;
      if (at === LENGTHS.length - 2 && ms < NOTHING_MS) break;
    }
  }
  return null;
}
