import { contentWords } from '../../../../tools/words.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import type { Chat, Exchange, Request, Talk } from '../../skill.ts';
import { clip, quoteBlock, quoteLine } from '../../wording/telling.ts';

const LAST_QUESTION =
  /^(?:what (?:did|was it) i (?:just |last )?(?:ask|say|write)(?: you)?(?: just now| last| before)?|what (?:was|is) my (?:last|previous) (?:question|message))$/i;
const LAST_ANSWER =
  /^(?:(?:repeat|say)(?: (?:that|this|it|the (?:last )?answer|your (?:last )?answer))?(?: again| once more)*|again|what did you (?:just )?(?:say|answer)(?: again)?|what (?:was|is) (?:the|your) (?:last )?(?:answer|result)(?: again)?|what was that)$/i;
const FIRST =
  /^what (?:did i ask first|(?:was|is) (?:(?<answer>the (?:result|answer) (?:of|to) )?(?:my|the) first (?:question|message|one|thing i asked)))$/i;
const ALL_QUESTIONS =
  /^(?:what (?:have|did) (?:i|we) (?:ask(?:ed)?|talk(?:ed)? about|discuss(?:ed)?|do|done)(?: you)?(?: so far| in this (?:chat|conversation)| today)*|(?:list|show(?: me)?) (?:all )?(?:of )?my (?:questions|messages)|(?:summari[sz]e|sum up|recap) (?:this|our|the) (?:chat|conversation)(?: so far)?|recap)$/i;
const ABOUT =
  /^what did (?<who>i|you|we) (?:say|tell you|tell me|write|ask|mention)(?: about| on)? (?<about>.{2,100})$/i;

const MAX_ANSWER_CHARACTERS = 4_000;
const BEFORE = 'From the summary of our earlier messages:';
const ONLY_SUMMARY =
  'I only have a summary of what came before in this chat; “summarise this chat” shows it.';

/** Speaks of what was said earlier in this chat. */
export const recall: Talk = {
  name: 'recall',
  says(request, chat) {
    if (request.text.length > 160) return null;
    const text = stripCourtesy(request.text).replace(/[\s?.!]+$/, '');
    if (LAST_QUESTION.test(text)) return tellQuestion(request.history.at(-1), chat);
    if (LAST_ANSWER.test(text)) return tellAnswer(request.history.at(-1), chat);
    if (ALL_QUESTIONS.test(text)) return tellAll(request.history, chat);
    const first = FIRST.exec(text);
    if (first !== null) return tellFirst(chat, first.groups?.['answer'] !== undefined);
    return chat.hasTools ? null : tellAbout(text, request, chat.summary);
  },
};

function tellQuestion(exchange: Exchange | undefined, { summary }: Chat): string {
  if (!exchange && summary !== null) return ONLY_SUMMARY;
  if (!exchange) return 'This is your first message in this chat.';
  return `You asked:\n\n${quoteBlock(exchange.question)}`;
}

function tellAnswer(exchange: Exchange | undefined, { summary }: Chat): string {
  if (!exchange && summary !== null) return ONLY_SUMMARY;
  if (!exchange) return 'I haven’t answered anything in this chat yet.';
  return exchange.answer === ''
    ? 'My last reply was empty: it was stopped.'
    : clip(exchange.answer, MAX_ANSWER_CHARACTERS);
}

function tellAll(history: Exchange[], { summary }: Chat): string {
  const earlier = summary === null ? '' : `${BEFORE}\n\n${quoteBlock(summary, MAX_ANSWER_CHARACTERS)}`;
  if (history.length === 0)
    return earlier !== '' ? earlier : 'Nothing yet: this is your first message in this chat.';
  const lines = history.slice(-10).map(({ question, answer }, index) => {
    const said = firstLine(answer);
    return `${index + 1}. ${quoteLine(question, 100)}${said === '' ? '' : ` – ${said}`}`;
  });
  const which =
    history.length > 10
      ? 'The last ten things you asked'
      : earlier === ''
        ? 'So far you asked'
        : 'Since then you asked';
  return `${earlier === '' ? '' : `${earlier}\n\n`}${which}:\n\n${lines.join('\n')}`;
}

/** The first question, or the first that a tool worked on with its answer. */
function tellFirst(chat: Chat, isAnswer: boolean): string {
  const exchange = chat.first(isAnswer);
  if (!exchange) return 'I can’t find a first question in what I can see of this chat.';
  if (!isAnswer) return `You asked:\n\n${quoteBlock(exchange.question)}`;
  return `You asked ${quoteLine(exchange.question)}, and the answer was:\n\n${quoteBlock(exchange.answer, MAX_ANSWER_CHARACTERS)}`;
}

/** Where this chat speaks of something; for when nothing may be searched. */
function tellAbout(text: string, { history }: Request, summary: string | null): string | null {
  const { who = '', about = '' } = ABOUT.exec(text)?.groups ?? {};
  const words = contentWords(about).map((word) => word.toLowerCase());
  const holds = (said: string) => words.every((word) => said.toLowerCase().includes(word));
  if (words.length === 0) return null;
  const summed = (summary ?? '').split('\n').filter(holds).slice(-2);
  const told = history
    .filter(({ question }) => !ABOUT.test(stripCourtesy(question).replace(/[\s?.!]+$/, '')))
    .flatMap(({ question, answer }) => [
      ...(!/^you$/i.test(who) && holds(question) ? [`You said:\n\n${quoteBlock(question, 400)}`] : []),
      ...(!/^i$/i.test(who) && holds(answer) ? [`I said:\n\n${quoteBlock(answer, 400)}`] : []),
    ]);
  const earlier = summed.length === 0 ? [] : [`${BEFORE}\n\n${quoteBlock(summed.join('\n'), 800)}`];
  return [...earlier, ...told.slice(-3)].join('\n\n') || null;
}

function firstLine(answer: string): string {
  const line = answer.split('\n', 20).find((one) => one.trim() !== '' && !/^[|`~#>-]/.test(one.trim())) ?? '';
  return clip(line.trim(), 100);
}
