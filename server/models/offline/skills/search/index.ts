import { searchMessages } from '../../../../tools/search.ts';
import { contentWords } from '../../../../tools/words.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { quoteBlock, quoteLine, telling, tellsEach, tellTime, type OutputOf } from '../../wording/telling.ts';

const WHERE = String.raw`(?:(?:all |my |our |the |earlier |previous |past |old |chat |message )*(?:messages?|chats?|conversations?|history))`;
const SEARCH = new RegExp(
  String.raw`^(?:search|look|find)(?: (?:in|through))? ${WHERE} (?:for|about|on|with|mentioning) (?<about>.{1,200}?)[\s?.!]*$` +
    String.raw`|^(?:find|show(?: me)?|list)(?: all| any| the)* ${WHERE} (?:about|on|with|mentioning) (?<about2>.{1,200}?)[\s?.!]*$` +
    String.raw`|^(?:search|look up|look|find)(?: for)? (?<about3>.{1,200}?) (?:in|through) ${WHERE}[\s?.!]*$` +
    String.raw`|^search(?: for)? (?!(?:the )?(?:web|internet|net|google|online)\b)(?<about4>.{1,200}?)[\s?.!]*$`,
  'is',
);
const MENTIONED =
  /^(?:(?:find|show me|search(?: for)?|tell me|do you know) )?(?:where|when|what|(?:in )?which chat|did|have)\s?(?:(?:did|have|was it(?: that)?) )?(?<who>i|we|you)(?: ever| just| last)? (?:mention(?:ed)?|talk(?:ed)? about|sa(?:y|id)(?: to you)?(?: about| on)|wr(?:i|o)te(?: to you)? about|tell you about|told you about|tell me about|told me about|discuss(?:ed)?|ask(?:ed)?(?: you)? (?:about|for))\s+(?<about>.{1,200}?)[\s?.!]*$/is;
const WEB = /\b(?:on|in) (?:the )?(?:web|internet|net|google|wikipedia|online)\b|\bonline\b/i;
const HERE =
  /\s+(?:in|from) (?:this|the|any|all|another|my|our)?\s?(?:earlier |other |previous )*(?:chats?|messages?|conversations?|history)$|\s+(?:earlier|before|yesterday|last (?:week|month|year|time)|today|recently|in the past)$/i;

/** Finds earlier messages. */
export const searchSkill: Skill = {
  name: 'search',
  summary: 'search your earlier messages',
  examples: [
    'what did I say about Tokyo?',
    'find where I mentioned the invoice',
    'search my messages for "blue bicycle"',
  ],
  tools: ['search_messages'],
  reads: recognise,
  tells: tellsEach(telling(searchMessages, tell)),
};

function recognise(request: Request): Wish | null {
  const text = stripCourtesy(request.text);
  if (text.length > 300 || WEB.test(text)) return null;
  const mentioned = MENTIONED.exec(text)?.groups;
  if (mentioned) return intent(mentioned['about'] ?? '', mentioned['who']?.toLowerCase(), request);
  const groups = SEARCH.exec(text)?.groups;
  if (groups) {
    const about = Object.values(groups).find((each) => (each as string | undefined) !== undefined);
    return intent(about ?? '', undefined, request);
  }
  return null;
}

function intent(about: string, who: string | undefined, request: Request): Wish | null {
  const query = request.material ?? queryWords(about);
  if (query.trim() === '') return null;
  const role = who === 'i' ? { role: 'user' } : who === 'you' ? { role: 'assistant' } : {};
  return { tool: searchMessages.name, input: { query: query.slice(0, 200), ...role } };
}

/** What to look for: the words that carry the subject; all of them when none does. */
function queryWords(about: string): string {
  const bare = about.replace(HERE, '').replace(/^(?:the )?(?:words?|phrase|term)\s+/i, '');
  const words = contentWords(bare);
  return words.length > 0 ? words.join(' ') : bare;
}

function tell(
  { found, allWords }: OutputOf<typeof searchMessages>,
  input: Record<string, unknown>,
  request: Request,
): string {
  const query = quoteLine(typeof input['query'] === 'string' ? input['query'] : '', 80);
  if (found.length === 0) {
    const whose = input['role'] === 'user' ? 'of yours ' : input['role'] === 'assistant' ? 'of mine ' : '';
    return `I found no earlier message ${whose}with ${query}.`;
  }
  const start = allWords
    ? `${found.length === 1 ? 'One message' : `${found.length} messages`} with ${query}:`
    : `No message holds all of ${query}; these hold some of it:`;
  const quotes = found.map((message) => {
    const who = message.role === 'user' ? 'you' : 'me';
    return `${quoteBlock(message.snippet, 400)}\n>\n> — ${who}, in ${quoteLine(message.chatTitle, 80)}, ${tellTime(message.createdAt, request.timeZone)}`;
  });
  return [start, ...quotes].join('\n\n');
}
