import { contentWords } from '../../../../tools/words.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import type { Chat, Exchange, Request, Talk } from '../../skill.ts';
import { clip, quoteBlock, quoteLine } from '../../wording/telling.ts';

const LAST_QUESTION =
  /^(?:what (?:did|was it) i (?:just |last )?(?:ask|say|write|type|want|send)(?: you)?(?: just now| last| before| again)?|what (?:was|is) my (?:last|previous) (?:question|message|request)|(?:repeat|show) my (?:last|previous) (?:question|message|request)|what was (?:the|my) question(?: again)?)$/i;
const LAST_ANSWER =
  /^(?:(?:repeat|say)(?: (?:that|this|it|yourself|the (?:last |previous )?answer|your (?:last |previous )?answer|the last one))?(?: again| once more| please)*|again|come again|pardon|what did you (?:just |last )?(?:say|answer|write|reply)(?: again| just now| last)?|what (?:was|is|were) (?:the|your|that) (?:last |previous )?(?:answer|result|reply|response|number)(?: again)?|what was that(?: again)?|(?:show|give|tell)(?: me)? (?:the|your|that) (?:last |previous )?(?:answer|result|reply)(?: again)?)$/i;
const NTH =
  /^(?:(?:and )?what (?:was|is|were|did)|repeat|show(?: me)?|tell(?: me)?|give(?: me)?) (?:i (?:ask|say)|you (?:say|answer)|my|your|the)?\s?(?<what>first|second|third|fourth|fifth|result|answer|question|message|reply)?\s?(?:(?:result|answer|question|message|reply|of|to|for|from|the|my|one|thing|i|you|asked|said|say|ask|first|second|third|fourth|fifth)\s?)*$/i;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const ALL_QUESTIONS =
  /^(?:what (?:have|did) (?:i|we) (?:ask(?:ed)?|talk(?:ed)?(?: about)?|discuss(?:ed)?|cover(?:ed)?|do|done|said|say)(?: you)?(?: about)?(?: so far| in this (?:chat|conversation)| until now| today| here| before| earlier)*|(?:list|show(?: me)?|repeat) (?:all )?(?:of )?my (?:questions|messages|requests)(?: so far| in this chat)?|(?:summari[sz]e|sum up|recap|give me a (?:summary|recap) of|what happened in) (?:this|our|the) (?:chat|conversation|discussion)(?: so far)?|recap)$/i;
const ABOUT =
  /^(?:what did (?<who>i|you|we) (?:say|tell you|tell me|write|ask|mention|answer|talk)(?: about| on| regarding)|did (?<who2>i|you|we) (?:mention|say anything about|talk about))\s+(?<about>.{2,100})$/i;

const MAX_ANSWER_CHARACTERS = 4_000;
const BEFORE = 'From the summary of our earlier messages:';
const ONLY_SUMMARY =
  'I only have a summary of what came before in this chat; ask me what was said about something.';

/** Speaks of what was said earlier in this chat. */
export const recall: Talk = {
  name: 'recall',
  says(request, chat) {
    if (request.text.length > 160) return null;
    const text = stripCourtesy(request.text).replace(/[\s?.!]+$/, '');
    if (LAST_QUESTION.test(text)) return tellQuestion(request.history.at(-1), chat);
    if (LAST_ANSWER.test(text)) return tellAnswer(request.history.at(-1), chat);
    if (ALL_QUESTIONS.test(text)) return tellAll(request.history, chat);
    const nth = tellNth(text, request.history, chat);
    if (nth !== null) return nth;
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

/** "What was the result of the first one?", "what was my second question?" */
function tellNth(text: string, history: Exchange[], chat: Chat): string | null {
  if (!NTH.test(text)) return null;
  const ordinal = ORDINALS.findIndex((word) => new RegExp(String.raw`\b${word}\b`, 'i').test(text));
  if (ordinal < 0) return null;
  const first = chat.first(/result/i.test(text));
  const isWhole =
    (first === null && chat.summary === null) || history.some(({ question }) => question === first?.question);
  const exchange = ordinal === 0 ? (first ?? undefined) : isWhole ? history[ordinal] : undefined;
  if (!exchange) return `I can’t find a ${ORDINALS[ordinal] ?? ''} question in what I can see of this chat.`;
  const isQuestion =
    /\bquestion|\bdid i\b|\bi asked|\bi said|\bmy (?:first|second|third|fourth|fifth) message/i;
  if (isQuestion.test(text) && !/result|answer/i.test(text))
    return `You asked:\n\n${quoteBlock(exchange.question)}`;
  return `You asked ${quoteLine(exchange.question)}, and the answer was:\n\n${quoteBlock(exchange.answer, MAX_ANSWER_CHARACTERS)}`;
}

/** Where this chat speaks of something; for when nothing may be searched. */
function tellAbout(text: string, request: Request, summary: string | null): string | null {
  const groups = ABOUT.exec(text)?.groups;
  const words = contentWords(groups?.['about'] ?? '');
  if (!groups || words.length === 0) return null;
  const who = (groups['who'] ?? groups['who2'] ?? 'i').toLowerCase();
  const holds = (said: string) => words.every((word) => said.toLowerCase().includes(word.toLowerCase()));
  const told = request.history.filter(
    ({ question }) => !ABOUT.test(stripCourtesy(question).replace(/[\s?.!]+$/, '')),
  );
  const summed = (summary ?? '').split('\n').filter(holds).slice(-2);
  const earlier = summed.length === 0 ? [] : [`${BEFORE}\n\n${quoteBlock(summed.join('\n'), 800)}`];
  const quotes = told.flatMap(({ question, answer }) => [
    ...(who !== 'you' && holds(question) ? [`You said:\n\n${quoteBlock(question, 400)}`] : []),
    ...(who !== 'i' && holds(answer) ? [`I said:\n\n${quoteBlock(answer, 400)}`] : []),
  ]);
  const all = [...earlier, ...quotes.slice(-3)];
  return all.length === 0 ? null : all.join('\n\n');
}

function firstLine(answer: string): string {
  const line = answer.split('\n', 20).find((one) => one.trim() !== '' && !/^[|`~#>-]/.test(one.trim())) ?? '';
  return clip(line.trim(), 100);
}
