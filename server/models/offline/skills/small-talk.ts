import { rules } from '../reading/rules.ts';
import type { SkillReply } from '../skill.ts';
import { CONNECT_A_MODEL } from '../wording/refusals.ts';

/** Longer texts are no small talk. */
const MAX_CHARACTERS = 120;

/** Replies to pleasantries and to questions about the assistant; the first pattern that matches wins. */
const ANSWERS = rules(
  String.raw`
    ^(?:(?:please |can you |could you )*)(?:remind me (?:to|in|at|on|when|tomorrow|that|about it)|set (?:an? |the )?(?:alarm|timer|reminder)|wake me up|start a timer|create a reminder)\b => I can’t remind you at a time. “Schedule…” beside the send button sends a message at one. Say “remember that …” and I’ll keep it as a note.
    ^(?:(?:please |can you |could you )*)(?:search|google|look up|browse|look)(?: .{0,80})? (?:on |in |up |through )?(?:the )?(?:web|internet|online|google|wikipedia)\b|^google\b|^(?:the )?weather\b|^(?:what(?:['’]?s| is) the (?:weather|news|latest)|what(?:['’]?s| is) the temperature(?: (?:outside|today|now|right now|in .{2,40}))?\W*$|will it rain|how(?:['’]?s| is) the weather|what(?:['’]?s| is) happening in the world)\b => That needs the internet, and I work offline. ${CONNECT_A_MODEL}
    ^(?:(?:great|ok(?:ay)?|perfect|many|cool),? )?(?:thanks|thank (?:you|u)|thx|ty|cheers)(?: (?:a lot|so much|very much|parley|again|for (?:that|your help)))*(?:,? (?:that|this|it|you) (?:really )?(?:helped|was (?:very )?(?:helpful|useful)))?$ => You’re welcome.
    ^(?:bye|goodbye|good bye|see you|see ya|good ?night|bye bye|that(?:['’]s| is) all)(?: (?:later|then|parley|for now|tomorrow))*$ => Goodbye. This chat stays here for when you come back.
    ^(?:hi |hello |hey )?how are you(?: doing)?(?: today)?$|^how(?:['’]s| is) it going$|^what(?:['’]?s| is) up$ => Everything here is working, thank you. What can I do for you?
    ^(?:who|what) (?:are|r) (?:you|u)$|^what(?:['’]s| is) your name$|^introduce yourself$|^what(?:['’]s| is) parley$|^tell me about yourself$|^are you (?:an? )?(?:ai|robot|bot|human|person|real|chat ?gpt|gpt|claude|gemini|llm|language model)$|^(?:what|which) (?:ai |language )?model (?:are you|is this|are you using|am i (?:using|talking to))$|^(?:who|which company) (?:made|built|created) (?:you|parley)$ => I’m Parley’s built-in offline assistant: a set of skills and tools that run on this computer, not a large language model. ${CONNECT_A_MODEL}
    ^are (?:you|we) (?:online|connected|offline)(?: (?:right )?now)?$|^(?:do|can) you (?:have|use|access|search|browse) (?:the )?(?:internet|web|network)(?: access)?$|^do you (?:need|work without) (?:the )?(?:internet|a network)(?: for (?:this|that))?$|^do you work offline$ => I’m offline: I work entirely on this computer and never use the network.
    ^(?:where (?:is|are)|do you (?:send|share|store|save|upload)) (?:my |our )?(?:data|messages|chats|conversations)(?: (?:stored|kept|saved|anywhere|to anyone))?$|^(?:do you send|is) (?:anything|something|any data) (?:sent )?(?:anywhere|(?:to|over) the (?:internet|net|web|cloud))$|^is (?:this|my data) (?:private|safe|secure)$ => Your messages are stored on this computer only, and what I do with them happens here: I send nothing anywhere.
    ^(?:(?:which|what) languages? (?:do|can) you (?:speak|understand|know)|do you (?:speak|understand) (?:[a-z]+|other languages))$ => I understand English only. Sums, units and dates in figures work in any language.
    ^(?:can|do) you (?:read|open|understand|summari[sz]e|see) (?:(?:my|an?|the|attached) )*(?:pdf|word|csv|text|json)?s? ?(?:files?|documents?|attachments?|pdfs?)$|^(?:which|what) (?:kinds? of )?files? can you (?:read|open)$|^(?:can|how do|how can) i (?:attach|upload|add|send)(?: you)? (?:an? )?(?:files?|documents?|pdfs?)$ => Yes: attach a file to your message. I read text, CSV and JSON, and the text in PDF and Word documents; I can’t see pictures.
    ^how (?:do|can) i (?:connect|add|use|set ?up|choose|change|switch)(?: to)? (?:(?:an?|another|the|different|other|my|real|language|ai) )*(?:models?|llm|ai|provider)$|^(?:can|could|how (?:do|can)) (?:i|you) (?:use|connect(?: to)?|add|talk to|switch to) (?:(?:an?|the|my|own|real|local|language) )*(?:chat ?gpt|gpt(?:-?\d)?|openai|claude|anthropic|gemini|llama|ollama|mistral|models?|llms?)$ => ${CONNECT_A_MODEL} Until then I answer, with no network.
    ^i(?:['’]?m| am| feel| want| wanna| will| have| need| might| can['’]?t stop thinking)\b.{0,40}\b(?:to die|kill(?:ing)? myself|suicid(?:e|al)|end(?:ing)? (?:my life|it all)|hurt(?:ing)? myself|overdosed?)\b|^(?:call|i need|we need|get|send) (?:me |us |for )?(?:an? |the )?(?:ambulance|police|fire brigade|fire department)\b|^(?:there(?:['’]s| is) a fire|(?:my|our|the) (?:house|flat|apartment|kitchen) is on fire|(?:someone|somebody|he|she|my \w+) (?:is(?:n['’]t| not) breathing|stopped breathing|overdosed))\b => I’m a program without a network: I can’t help with this or call anybody. Please call your local emergency number now, such as 112, 911 or 999, or talk to somebody near you.
    ^(?:never ?mind|forget (?:it|about it)|cancel|stop|no|nope|no thanks|no thank you|nothing)$ => All right.
    ^(?:forget|delete|remove|undo)(?: (?:that|this|it|the last one))?$ => There is no note just before this that I could forget. “Show my notes” lists them.
    ^(?:ok|okay|k|yes|yep|yeah|sure|fine|good|great|nice|cool|perfect|awesome|excellent|amazing|got it|i see|right|understood|well done|good (?:job|work)|lol|haha|wow|that(?:['’]s| is) (?:great|nice|good|perfect|right|correct|fine))$ => Good. What’s next?
    ^(?:you(?:['’]re| are)?|this is|that(?:['’]s| is)|that was) (?:so |very |just )*(?:stupid|useless|dumb|wrong|bad|terrible|not (?:helpful|right|correct))$|^(?:wrong|useless)$ => I’m sorry that didn’t help. Put another way I may well get it; “what can you do?” shows what works.
  `,
  {},
  '',
);

/** Pleasantries, and questions about the assistant itself. */
export const smallTalk: SkillReply = ({ text }) => {
  const bare = text
    .toLowerCase()
    .replace(/(?<![\s?.!,])[\s?.!,]+$/, '')
    .replace(/^(?:please|so|and|well|ok|okay|oh|but|hey|hi|hello)[,!]?\s+(?=\S)/, '');
  return (text.length <= MAX_CHARACTERS && ANSWERS.find(({ pattern }) => pattern.test(bare))?.to) || null;
};
