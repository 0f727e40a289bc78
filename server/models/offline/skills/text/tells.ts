/** How results of the text tools are told. */
import { changeCaseTool } from '../../../../tools/text-case.ts';
import { countTextTool } from '../../../../tools/text-count.ts';
import { extractFromTextTool } from '../../../../tools/text-extract.ts';
import { formatTextTool, replaceTextTool, reverseTextTool } from '../../../../tools/text-format.ts';
import { removeDuplicatesTool, sortListTool } from '../../../../tools/text-lists.ts';
import { codeBlock, inlineCode, escapeMarkdown } from '../../../../tools/text-markdown.ts';
import { summariseTextTool } from '../../../../tools/text-summary.ts';
import { count } from '../../reading/phrases.ts';
import type { Request } from '../../skill.ts';
import { listed, number, telling, tellsEach, type OutputOf } from '../../wording/telling.ts';

type Input = Record<string, unknown>;

/** Items shown of a long list. */
const MAX_TOLD_ITEMS = 500;

/** Longest list that is told on one line. */
const MAX_INLINE_CHARACTERS = 200;

const tellProduced = ({ text }: { text: string }): string =>
  text === '' ? 'Nothing is left of the text.' : codeBlock(text);

type Counts = OutputOf<typeof countTextTool>;

function tellCount(counts: Counts, input: Input, request: Request): string {
  if (counts.occurrences !== undefined) {
    const find = inlineCode(typeof input['find'] === 'string' ? input['find'] : '');
    const { occurrences } = counts;
    if (occurrences === 0) return `${find} does not occur in it.`;
    return `${find} occurs **${occurrences === 1 ? 'once' : `${number(occurrences)} times`}**.`;
  }
  const asked = unitsAsked(counts, request.text);
  return asked.length === 0 ? tellAllCounts(counts) : `${listed(asked)}.`;
}

/** The units that stand one after the other at the place where counting is asked for. */
const UNITS_ASKED =
  /(?:how many|count(?: the)?|number of|^and the|^the)?\s*((?:(?:words?|characters?|chars|letters?|sentences?|lines?|paragraphs?)(?:(?:,| and| or|, and)(?: the| how many)*\s)?)+)/i;

function unitsAsked(counts: Counts, ask: string): string[] {
  const { characters, charactersWithoutSpaces } = counts;
  const spaces =
    characters === charactersWithoutSpaces ? '' : ` (${number(charactersWithoutSpaces)} without spaces)`;
  const told = (amount: number, unit: string): string =>
    `**${number(amount)}** ${amount === 1 ? unit : `${unit}s`}`;
  return (
    UNITS_ASKED.exec(ask)?.[1]
      ?.toLowerCase()
      .match(/[a-z]+/g) ?? []
  ).flatMap((word) => {
    if (word.startsWith('char')) return [told(characters, 'character') + spaces];
    const unit = COUNTED.find((each) => word.startsWith(each));
    return unit === undefined ? [] : [told(counts[`${unit}s`], unit)];
  });
}

const COUNTED = ['word', 'letter', 'sentence', 'line', 'paragraph'] as const;

function tellAllCounts(counts: Counts): string {
  const lines = [
    `- **${number(counts.words)}** ${counts.words === 1 ? 'word' : 'words'}`,
    `- **${number(counts.characters)}** characters (${number(counts.charactersWithoutSpaces)} without spaces)`,
    `- **${number(counts.sentences)}** ${counts.sentences === 1 ? 'sentence' : 'sentences'}`,
    `- **${number(counts.lines)}** ${counts.lines === 1 ? 'line' : 'lines'}, **${number(counts.paragraphs)}** ${counts.paragraphs === 1 ? 'paragraph' : 'paragraphs'}`,
    `- about ${readingTime(counts.readingSeconds)} to read`,
  ];
  return lines.join('\n');
}

function readingTime(seconds: number): string {
  if (seconds < 60) return count(seconds, 'second');
  return count(Math.round(seconds / 60), 'minute');
}

function tellSummary(
  { items, sentencesInText, shortened }: OutputOf<typeof summariseTextTool>,
  _input: Input,
  request: Request,
): string {
  const asksBullets = /\b(?:bullets?|points?|takeaways?|ideas?)\b/i.test(request.text.slice(0, 200));
  const escaped = items.map(escapeMarkdown);
  const body = asksBullets ? escaped.map((item) => `- ${item}`).join('\n') : `> ${escaped.join(' ')}`;
  if (!shortened)
    return `The text is only ${count(sentencesInText, 'sentence')} long, so there is nothing to leave out:\n\n${body}`;
  return `${body}\n\n*${number(items.length)} of ${count(sentencesInText, 'sentence')}, word for word.*`;
}

function tellUnique(
  { items, removed }: OutputOf<typeof removeDuplicatesTool>,
  input: Input,
  request: Request,
): string {
  if (removed === 0) return 'There are no duplicates in it.';
  return `${listOf(items, input, request)}\n\n${count(removed, 'duplicate')} removed, ${number(items.length)} left.`;
}

/** On one line when the list was given on one, else one item a line. */
function listOf(items: string[], _input: Input, { message, material }: Request): string {
  const isShort =
    items.join(', ').length <= MAX_INLINE_CHARACTERS && !items.some((item) => item.includes(','));
  const wasInline = !message.includes('\n') && (material === null || message.includes(material));
  if (isShort && wasInline && items.every((item) => message.includes(item)))
    return inlineCode(items.join(', '));
  const shown = items.slice(0, MAX_TOLD_ITEMS);
  const rest = items.length - shown.length;
  return codeBlock(shown.join('\n')) + (rest === 0 ? '' : `\n\n… and ${number(rest)} more.`);
}

const KINDS: Record<string, [string, string]> = {
  emails: ['e-mail address', 'e-mail addresses'],
  links: ['link', 'links'],
  numbers: ['number', 'numbers'],
  dates: ['date', 'dates'],
  phone_numbers: ['phone number', 'phone numbers'],
  hashtags: ['hashtag', 'hashtags'],
  mentions: ['mention', 'mentions'],
};

function tellExtracted({ items }: OutputOf<typeof extractFromTextTool>, input: Input): string {
  const [one, many] = KINDS[String(input['kind'])] ?? ['thing', 'things'];
  if (items.length === 0) return `There are no ${many} in it.`;
  const shown = items.slice(0, MAX_TOLD_ITEMS);
  const rest = items.length - shown.length;
  const more = rest === 0 ? '' : `\n\n… and ${number(rest)} more.`;
  return `${number(items.length)} ${items.length === 1 ? one : many}:\n\n${codeBlock(shown.join('\n'))}${more}`;
}

function tellReplaced({ text, replaced }: OutputOf<typeof replaceTextTool>, input: Input): string {
  if (replaced === 0)
    return `${inlineCode(String(input['find']))} does not occur in the text, so it stays as it is.`;
  const verb = input['replacement'] === '' ? 'Removed' : 'Replaced';
  return `${verb} ${replaced === 1 ? 'once' : `${number(replaced)} times`}:\n\n${tellProduced({ text })}`;
}

/** Tells the result of a text tool as Markdown. */
export const tellText = tellsEach(
  telling(countTextTool, tellCount),
  telling(summariseTextTool, tellSummary),
  telling(sortListTool, ({ items }, input, request) => listOf(items, input, request)),
  telling(removeDuplicatesTool, tellUnique),
  telling(extractFromTextTool, tellExtracted),
  telling(replaceTextTool, tellReplaced),
  telling(formatTextTool, tellProduced),
  telling(changeCaseTool, tellProduced),
  telling(reverseTextTool, tellProduced),
);
