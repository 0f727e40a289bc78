import { searchMessages } from '../../../tools/search.ts';
import { contentWords } from '../../../tools/words.ts';
import { textOf } from '../../../lib/fields.ts';
import { stripCourtesy } from '../reading/courtesy.ts';
import type { OfflineSkill } from '../skill.ts';
import { quoteBlock, quoteLine, formatting, formatEach, formatTime } from '../wording/formatting.ts';

const WHERE = String.raw`(?:(?:all |my |our |the |earlier |previous |past |old |chat |message )*(?:messages?|chats?|conversations?|history))`;
const ABOUT = String.raw`(?<about>.{1,200}?)[\s?.!]*$`;
/** `who`: whose messages are meant, if the request names anybody. */
const SEARCHES = [
  String.raw`^(?:find|show me|search(?: for)?|tell me|do you know)? ?(?:where|when|what|(?:in )?which chat|did|have)\s?(?:(?:did|have|was it(?: that)?) )?(?<who>i|we|you)(?: ever| just| last)? (?:mention(?:ed)?|talk(?:ed)? about|sa(?:y|id)(?: to you)?(?: about| on)|wr(?:i|o)te(?: to you)? about|(?:tell|told) (?:you|me) about|discuss(?:ed)?|ask(?:ed)?(?: you)? (?:about|for))\s+${ABOUT}`,
  String.raw`^(?:search|look|find|show(?: me)?|list)(?: (?:in|through|all|any|the))* ${WHERE} (?:for|about|on|with|mentioning) ${ABOUT}`,
  String.raw`^(?:search|look up|look|find)(?: for)? (?<about>.{1,200}?) (?:in|through) ${WHERE}[\s?.!]*$`,
  String.raw`^search(?: for)? (?!(?:the )?(?:web|internet|net|google|online)\b)${ABOUT}`,
].map((source) => new RegExp(source, 'is'));
const WEB = /\b(?:on|in) (?:the )?(?:web|internet|net|google|wikipedia|online)\b|\bonline\b/i;
const HERE =
  /(?<!\s)\s+(?:in|from) (?:this|the|any|all|another|my|our)?\s?(?:earlier |other |previous )*(?:chats?|messages?|conversations?|history)$|(?:^|(?<!\s)\s+)(?:earlier|before|yesterday|(?:last|this) (?:week|month|year|time|morning|afternoon|evening|night)|(?:on |last )?\w+day|today|recently|in the past)$/i;

/** Finds earlier messages. */
export const searchSkill: OfflineSkill = {
  needs: 'the message search',
  summary: 'search your earlier messages',
  examples: `what did I say about Tokyo? | find where I mentioned the invoice | search my messages for "blue bicycle"`,
  tools: ['search_messages'],
  parse(request) {
    const text = stripCourtesy(request.text);
    if (text.length > 300 || WEB.test(text)) return null;
    const { about, who } = SEARCHES.map((each) => each.exec(text)?.groups).find(Boolean) ?? {};
    const query = about === undefined ? '' : (request.material ?? queryWords(about)).slice(0, 200);
    const role = { i: 'user', you: 'assistant' }[who?.toLowerCase() ?? ''];
    return query.trim() === ''
      ? null
      : { tool: searchMessages.name, input: { query, ...(role !== undefined && { role }) } };
  },
  format: formatEach(
    formatting(searchMessages, ({ found, allWords }, input, { timeZone }) => {
      const query = quoteLine(textOf(input['query']) ?? '', 80);
      const whose = { user: 'of yours ', assistant: 'of mine ' }[String(input['role'])] ?? '';
      if (found.length === 0) return `I found no earlier message ${whose}with ${query}.`;
      const many = found.length === 1 ? 'One message' : `${found.length} messages`;
      const start = allWords
        ? `${many} with ${query}:`
        : `No message holds all of ${query}; these hold some of it:`;
      const quotes = found.map(({ role, snippet, chatTitle, createdAt }) => {
        const who = role === 'user' ? 'you' : 'me';
        return `${quoteBlock(snippet, 400)}\n>\n> — ${who}, in ${quoteLine(chatTitle, 80)}, ${formatTime(createdAt, timeZone)}`;
      });
      return [start, ...quotes].join('\n\n');
    }),
  ),
};

/** The words to search for: those that carry the subject, or all if none does. */
function queryWords(about: string): string {
  const bare = about.replace(HERE, '').replace(/^(?:the )?(?:words?|phrase|term)\s+/i, '');
  return contentWords(bare).join(' ') || bare;
}
