import { shorten } from '../../../lib/plain-text.ts';
import { contentWords } from '../../../tools/words.ts';
import { stripCourtesy } from '../reading/courtesy.ts';
import type { AssistantContext, EarlierExchange, SkillReply } from '../skill.ts';
import { present, quoteBlock, quoteLine } from '../wording/formatting.ts';

const LAST_QUESTION =
  /^(?:what (?:did|was it) i (?:just |last )?(?:ask|say|write)(?: you)?(?: just now| last| before)?|what (?:was|is) my (?:last|previous) (?:question|message))$/i;
const LAST_ANSWER =
  /^(?:(?:repeat|say)(?: (?:that|this|it|the (?:last )?answer|your (?:last )?answer))?(?: again| once more)*|again|what did you (?:just )?(?:say|answer)(?: again)?|what (?:was|is) (?:the|your) (?:last )?(?:answer|result)(?: again)?|what was that)$/i;
const ALL_QUESTIONS =
  /^(?:what (?:have|did) (?:i|we) (?:ask(?:ed)?|talk(?:ed)? about|discuss(?:ed)?|do|done)(?: you)?(?: so far| in this (?:chat|conversation)| today)*|(?:list|show(?: me)?) (?:all )?(?:of )?my (?:questions|messages)|(?:summari[sz]e|sum up|recap) (?:this|our|the) (?:chat|conversation)(?: so far)?|recap)$/i;
const ABOUT =
  /^what did (?:i|you|we) (?:say|tell you|tell me|write|ask|mention)(?: about| on)? (?<about>.{2,100})$/i;

const MAX_ANSWER_CHARACTERS = 4_000;
const MAX_SHOWN_QUESTIONS = 10;

/** Speaks of what was said earlier in this chat. */
export const recall: SkillReply = ({ text, history }, { summary, hasTools }) => {
  if (text.length > 160) return null;
  const asked = bare(text);
  if (ALL_QUESTIONS.test(asked)) return formatAll(history, summary);
  const isQuestion = LAST_QUESTION.test(asked);
  if (!isQuestion && !LAST_ANSWER.test(asked)) return hasTools ? null : formatAbout(asked, history, summary);
  const last = history.at(-1);
  if (last === undefined && summary !== null)
    return 'I only have a summary of what came before in this chat; “summarise this chat” shows it.';
  if (isQuestion)
    return last === undefined
      ? 'This is your first message in this chat.'
      : `You asked:\n\n${quoteBlock(last.question)}`;
  if (last === undefined) return 'I haven’t answered anything in this chat yet.';
  return shorten(last.answer, MAX_ANSWER_CHARACTERS) || 'My last reply was empty: it was stopped.';
};

function formatAll(history: readonly EarlierExchange[], summary: AssistantContext['summary']): string {
  const lines = history.slice(-MAX_SHOWN_QUESTIONS).map(({ question, answer }, index) => {
    const start =
      answer.split('\n', 20).find((line) => line.trim() !== '' && !/^\s*[|`~#>-]/.test(line)) ?? '';
    return `${index + 1}. ${quoteLine(question, 100)}${start === '' ? '' : ` – ${shorten(start.trim(), 100)}`}`;
  });
  const isCut = history.length > MAX_SHOWN_QUESTIONS;
  const all = summary === null ? 'So far you asked' : 'Since then you asked';
  return (
    present(
      summary && `From the summary of our earlier messages:\n\n${quoteBlock(summary, MAX_ANSWER_CHARACTERS)}`,
      lines.length > 0 && `${isCut ? 'The last ten things you asked' : all}:\n\n${lines.join('\n')}`,
    ).join('\n\n') || 'Nothing yet: this is your first message in this chat.'
  );
}

const bare = (text: string): string => stripCourtesy(text).replace(/(?<![\s?.!])[\s?.!]+$/, '');

/** Where this chat, or its summary, speaks of something: for when nothing may be searched. */
function formatAbout(
  asked: string,
  history: readonly EarlierExchange[],
  summary: AssistantContext['summary'],
): string | null {
  const words = contentWords(ABOUT.exec(asked)?.groups?.['about'] ?? '').map((word) => word.toLowerCase());
  const holds = (firstLine: string): boolean => words.every((word) => firstLine.toLowerCase().includes(word));
  if (words.length === 0) return null;
  const found = [
    ...(summary ?? '').split('\n').filter(holds).slice(-2),
    ...history
      .filter(({ question }) => !ABOUT.test(bare(question)))
      .flatMap(({ question, answer }) => [question, answer].filter(holds))
      .slice(-3),
  ].map((firstLine) => quoteBlock(firstLine, 400));
  return found.length === 0 ? null : `In this chat:\n\n${found.join('\n\n')}`;
}
