/** Formats results of the text tools that take more than showing their text. */
import { countTextTool } from '../../../../tools/text-count.ts';
import { extractFromTextTool } from '../../../../tools/text-extract.ts';
import { replaceTextTool } from '../../../../tools/text-format.ts';
import { removeDuplicatesTool, sortListTool } from '../../../../tools/text-lists.ts';
import { codeBlock, inlineCode, escapeMarkdown } from '../../../../tools/text-markdown.ts';
import { summariseTextTool } from '../../../../tools/text-summary.ts';
import { count } from '../../../../../shared/numbers.ts';
import type { Request } from '../../skill.ts';
import { listed, number, formatting, formatEach } from '../../wording/formatting.ts';

/** Items shown of a long list. */
const MAX_SHOWN_ITEMS = 500;

/** Longest list that is shown on one line. */
const MAX_INLINE_CHARACTERS = 200;

const UNITS = ['word', 'character', 'letter', 'sentence', 'line', 'paragraph'] as const;
/** The units listed where a request asks for a count. */
const UNITS_ASKED =
  /(?:how many|count(?: the)?|number of|^and the|^the)?(?<!\s)\s*((?:(?:words?|characters?|chars|letters?|sentences?|lines?|paragraphs?)(?:(?:,| and| or|, and)(?: the| how many)*\s)?)+)/i;

/** On one line when the list was given on one, else one item a line. */
function formatItems(items: readonly string[], { message, material }: Request): string {
  const isShort =
    items.join(', ').length <= MAX_INLINE_CHARACTERS && !items.some((item) => item.includes(','));
  const wasInline = !message.includes('\n') && (material === null || message.includes(material));
  if (isShort && wasInline && items.every((item) => message.includes(item)))
    return inlineCode(items.join(', '));
  const rest = items.length - MAX_SHOWN_ITEMS;
  return (
    codeBlock(items.slice(0, MAX_SHOWN_ITEMS).join('\n')) +
    (rest > 0 ? `\n\n… and ${number(rest)} more.` : '')
  );
}

/** Formats the result of a text tool as Markdown. */
export const formatText = formatEach(
  formatting(countTextTool, (counts, { find }, { text }) => {
    const { occurrences, characters, charactersWithoutSpaces, readingSeconds } = counts;
    if (occurrences === 0) return `${inlineCode(String(find))} does not occur in it.`;
    if (occurrences !== undefined)
      return `${inlineCode(String(find))} occurs **${occurrences === 1 ? 'once' : `${number(occurrences)} times`}**.`;
    const amountOf = (unit: (typeof UNITS)[number]): string => {
      const amount = counts[`${unit}s`];
      const hasSpaces = unit === 'character' && characters !== charactersWithoutSpaces;
      const spaces = hasSpaces ? ` (${number(charactersWithoutSpaces)} without spaces)` : '';
      return `**${number(amount)}** ${unit}${amount === 1 ? '' : 's'}${spaces}`;
    };
    const asked = (
      UNITS_ASKED.exec(text)?.[1]
        ?.toLowerCase()
        .match(/[a-z]{3,}/g) ?? []
    ).flatMap((word) => UNITS.find((unit) => unit.startsWith(word.slice(0, 4))) ?? []);
    if (asked.length > 0) return `${listed(asked.map(amountOf))}.`;
    const [time, unit] = readingSeconds < 60 ? [readingSeconds, 'second'] : [readingSeconds / 60, 'minute'];
    return [...UNITS.map(amountOf), `about ${count(Math.round(time), unit)} to read`]
      .map((line) => `- ${line}`)
      .join('\n');
  }),
  formatting(summariseTextTool, ({ items, sentencesInText, shortened }, _input, { text }) => {
    const escaped = items.map(escapeMarkdown);
    const isList = /\b(?:bullets?|points?)\b/i.test(text.slice(0, 200));
    const body = isList ? escaped.map((item) => `- ${item}`).join('\n') : `> ${escaped.join(' ')}`;
    const whole = count(sentencesInText, 'sentence');
    return shortened
      ? `${body}\n\n*${number(items.length)} of ${whole}, word for word.*`
      : `The text is only ${whole} long, so there is nothing to leave out:\n\n${body}`;
  }),
  formatting(sortListTool, ({ items }, _input, request) => formatItems(items, request)),
  formatting(removeDuplicatesTool, ({ items, removed }, _input, request) =>
    removed === 0
      ? 'There are no duplicates in it.'
      : `${formatItems(items, request)}\n\n${count(removed, 'duplicate')} removed, ${number(items.length)} left.`,
  ),
  formatting(extractFromTextTool, ({ items }, input, request) => {
    const many = String(input['kind']).replace('_', ' ').replace('emails', 'e-mail addresses');
    if (items.length === 0) return `There are no ${many} in it.`;
    const kind = items.length === 1 ? many.replace(/(?:(?<=ss)e)?s$/, '') : many;
    return `${number(items.length)} ${kind}:\n\n${formatItems(items, { ...request, message: '' })}`;
  }),
  formatting(replaceTextTool, ({ text, replaced }, { find, replacement }) =>
    replaced === 0
      ? `${inlineCode(String(find))} does not occur in the text, so it stays as it is.`
      : `${replacement === '' ? 'Removed' : 'Replaced'} ${replaced === 1 ? 'once' : `${number(replaced)} times`}:\n\n${codeBlock(text)}`,
  ),
);
