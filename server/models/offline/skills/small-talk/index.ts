import { CONNECT_A_MODEL } from '../../wording/refusals.ts';
import type { Talk } from '../../skill.ts';

const MAX_CHARACTERS = 120;

const WHO =
  'I’m Parley’s built-in offline assistant: a set of skills and tools that run on this computer, not a large language model.';

/** What is said to a pleasantry or a question about the assistant. The first pattern that fits the whole text decides. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:thanks|thank you|thank u|thx|ty|cheers|much appreciated|great,? thanks|ok(?:ay)?,? thanks|perfect,? thanks|many thanks)(?: (?:a lot|so much|very much|parley|again|for (?:that|your help|the help)))*$/,
    'You’re welcome.',
  ],
  [
    /^(?:bye|goodbye|good bye|see you|see ya|good ?night|bye bye|that(?:['’]s| is) all|that will be all)(?: (?:later|then|parley|for now))*$/,
    'Goodbye. This chat stays here for when you come back.',
  ],
  [
    /^(?:hi |hello |hey )?how are you(?: doing)?(?: today)?$|^how(?:['’]s| is) it going$|^how do you do$|^are you (?:ok|okay|well)$|^what(?:['’]?s| is) (?:up|new|going on)$/,
    'Everything here is working, thank you. What can I do for you?',
  ],
  [
    /^(?:who|what) (?:are|r) (?:you|u)(?: exactly)?$|^what(?:['’]s| is) your name$|^(?:do|have) you (?:have|got) a name$|^introduce yourself$|^what(?:['’]s| is) parley$|^tell me about yourself$/,
    `${WHO} ${CONNECT_A_MODEL}`,
  ],
  [
    /^are you (?:an? )?(?:ai|a\.i\.|robot|bot|human|person|real|real person|chatgpt|gpt|claude|gemini|llm|language model|large language model)(?: or (?:an? )?\w+)?$|^(?:what|which) (?:ai |language )?model (?:are you|is this|do you use|are you using|am i (?:using|talking to))$|^are you (?:chat ?gpt|gpt-?\d|claude|gemini|llama)$/,
    `${WHO} ${CONNECT_A_MODEL}`,
  ],
  [
    /^are (?:you|we) (?:online|connected|offline)(?: (?:to the internet|right now|now))?$|^(?:do|can) you (?:have|use|access|reach|search|browse) (?:the )?(?:internet|web|network)(?: access)?$|^(?:do you have|have you got) (?:internet|network|web)(?: access| connection)?$|^do you (?:need|work without) (?:the )?(?:internet|network|a network)$|^do you work offline$/,
    'I’m offline: I work entirely on this computer and never use the network.',
  ],
  [
    /^(?:where (?:is|are)|do you (?:send|share|store|save|keep|upload|sell)) (?:my |our )?(?:data|messages|chats|conversations)(?: (?:stored|kept|saved|going|anywhere|to anyone|online))?$|^is (?:this|my data|it) (?:private|safe|secure)$|^do you track me$/,
    'Your messages are stored on this computer only, and what I do with them happens here: I send nothing anywhere.',
  ],
  [
    /^how (?:do|can|could|should) i (?:connect|add|use|set ?up|install|get|choose|change|switch)(?: to)? (?:an?|another|the|other|different|my|your|real)?\s?(?:other |better |real |different |language |ai )*(?:model|models|llm|ai|provider)$|^(?:connect|add|change|switch) (?:an? |the )?models?$/,
    `${CONNECT_A_MODEL} Until then I answer, with no network.`,
  ],
  [
    /^(?:can|could|may|how (?:do|can)|do) (?:i|you|we) (?:use|connect(?: you)?(?: to)?|add|talk to|switch to|support) (?:an? |the |my )?(?:own )?(?:chat ?gpt|gpt(?:-?\d)?|openai|claude|anthropic|gemini|llama|ollama|mistral|(?:real |local |language |ai |other )*(?:models?|llms?|ai))(?: (?:here|instead|with (?:this|you|parley)))?$/,
    `${CONNECT_A_MODEL} Until then I answer, with no network.`,
  ],
  [/^(?:test|testing|ping|are you there|you there|anybody there|anyone there|hello\? ?anyone)$/, 'I’m here.'],
  [
    /^(?:never ?mind|forget (?:it|about it)|cancel|stop|no|nope|nah|no thanks|no thank you|nothing)$/,
    'All right.',
  ],
  [
    /^(?:forget|delete|remove|undo)(?: (?:that|this|it|the last one))?$/,
    'There is no note just before this that I could forget. “Show my notes” lists them.',
  ],
  [
    /^(?:ok|okay|k|yes|yep|yeah|sure|fine|good|great|nice|cool|perfect|awesome|wonderful|excellent|amazing|got it|i see|right|understood|well done|good (?:job|work)|very good|lol|haha|wow|that(?:['’]s| is) (?:great|nice|good|perfect|right|correct|it|fine|all|amazing))$/,
    'Good. What’s next?',
  ],
  [
    /^(?:who|which company) (?:made|built|created|wrote|developed|programmed) (?:you|parley|this)$/,
    `${WHO} I came with the app.`,
  ],
  [
    /^how old are you$|^when were you (?:born|made|built|created)$/,
    'Exactly as old as this version of Parley.',
  ],
  [
    /^(?:you(?:['’]re| are)?|this is|that(?:['’]s| is)|that was) (?:so |very |really |totally |completely |just )*(?:stupid|useless|dumb|wrong|bad|terrible|not (?:helpful|useful|right|correct)|no help)$|^(?:wrong|useless)$/,
    'I’m sorry that didn’t help. Put another way I may well get it; “what can you do?” shows what works.',
  ],
  [
    /^(?:hi,? |hello,? )?my name(?:['’]s| is) [\p{L}'’-]+(?: [\p{L}'’-]+)?$/u,
    'Nice to meet you. Say “remember that my name is …” and I’ll keep it as a note.',
  ],
  [/^(?:h+m+|u+m+|er+m*|well|so)$/, 'Take your time.'],
  [/^(?:sorry|my bad|i(?:['’]m| am) sorry|oops)$/, 'No harm done.'],
  [
    /^(?:i (?:love|like) you|you(?:['’]re| are) (?:great|awesome|amazing|the best|cool|nice|smart|good|clever))$/,
    'Thank you, glad to be of use.',
  ],
];

const REMINDER =
  /^(?:(?:please |can you |could you )*)(?:remind me (?:to|in|at|on|when|tomorrow|that|about it)|set (?:an? |the )?(?:alarm|timer|reminder)|wake me up|start a timer|create a reminder)\b/i;
const WEB =
  /^(?:(?:please |can you |could you )*)(?:search|google|look up|browse|look)(?: .{0,80})? (?:on |in |up |through )?(?:the )?(?:web|internet|online|google|wikipedia)\b|^google\b|^(?:the )?weather\b|^(?:what(?:['’]?s| is) the (?:weather|news|latest)|what(?:['’]?s| is) the temperature(?: (?:outside|today|now|right now|in .{2,40}))?\W*$|will it rain|how(?:['’]?s| is) the weather|what(?:['’]?s| is) happening in the world)\b/i;

/** Pleasantries, and questions about the assistant itself. */
export const smallTalk: Talk = {
  name: 'small talk',
  says({ text }) {
    if (REMINDER.test(text)) {
      return 'I can’t remind you at a time: nothing runs between your messages. Say “remember that …” and I’ll keep it as a note.';
    }
    if (text.length > MAX_CHARACTERS) return null;
    if (WEB.test(text)) {
      return `That needs the internet, and I work offline. ${CONNECT_A_MODEL}`;
    }
    const bare = text
      .toLowerCase()
      .replace(/[\s?.!,]+$/, '')
      .replace(/^(?:please|so|and|well|ok|okay|oh|but|hey|hi|hello)[,!]?\s+(?=\S)/, '');
    const found = ANSWERS.find(([pattern]) => pattern.test(bare));
    return found?.[1] ?? null;
  },
};
