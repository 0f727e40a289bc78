/** Politeness before a request, which changes nothing about it. */
const COURTESY =
  /^(?:(?:please|pls|kindly|gimme|give me(?= an? )|hey|hi|hello|ok|okay|well|so|now|(?:thanks|thank you|great|perfect|cool|nice|next|first)(?=[,.!:])|(?:next|first)(?= (?:please|can|could|what|how|sort|count|make|convert|reverse|show|calculate|add)\b)|firstly|secondly|finally|lastly|also|and|then|parley|(?:can|could|would|will) (?:you|u)|i(?:'d|’d| would) like (?:you )?to(?: know)?|i (?:want|need)(?: you)? to(?: know)?|let me know|tell me|help me(?: to)?|quick question|question|sorry|i mean(?:t)?|i can(?:['’])?t decide|i need (?=an? |another |some ))(?![\p{L}\p{N}'’-])[\s,:!.]*){1,8}/iu;
const THANKS =
  /(?<![\s,.!])[\s,.!]*\b(?:please|pls|plz|thanks|thank you|thx|cheers)(?: (?:a lot|so much|in advance|very much))?[\s.!]*$/i;

/** "What 15 times 23 is", the word order after "tell me". */
const INDIRECT = /^(what|when|where|who|how (?:much|old|long|far)) (\S.{0,200}?) (is|are|was|were)[?!.]*$/i;
const MAX_THANKS_CHARACTERS = 40;

/** A request without the politeness around it; the request itself when nothing is left. */
export function stripCourtesy(text: string): string {
  const start = COURTESY.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start);
  const thanks = THANKS.exec(rest.slice(-MAX_THANKS_CHARACTERS))?.[0].length ?? 0;
  const bare = rest.slice(0, rest.length - thanks).trim();
  return bare === '' ? text : bare.replace(INDIRECT, '$1 $3 $2');
}

const QUESTION_OR_ORDER =
  /^(?:what|what['’]?s|whats|how|when|where|which|who|whom|whose|why|is|are|am|was|were|does|do|did|has|have|can|could|will|would|should|convert|calculate|compute|evaluate|solve|work out|count|sort|order|de-?dupe|de-?duplicate|remove|extract|find|search|list|show|give|tell|make|generate|create|encode|decode|hash|format|validate|check|parse|summari[sz]e|shorten|upper-?case|lower-?case|capitali[sz]e|reverse|translate|remember|note|forget|save|repeat|add|sum|subtract|multiply|divide|round|replace|trim|turn|change|put|write|draft|explain|describe|define|roll|flip|toss|pick|choose|total|average|simplify|factor|factori[sz]e|prettify|pretty-?print|minify|look up|delete|compare|split|join|(?:double|triple|halve|square) (?:it|that|this|them)|weather (?:in|for|today|tomorrow)|alphabeti[sz]e|slugify|strip|number (?:them|these|those|it|that|this|the (?:lines|items))|sha-?\d{1,3}|md5|base64|url-?(?:en|de)code|days|weeks|time)(?![\p{L}\p{N}])/iu;
const EXPRESSION =
  /^[-+(√$€£]{0,3}\d[\d.,]{0,20}(?:\s?[-+*/^×÷·%]|\s\S{1,12}\s(?:to|in|into|as|of)\s|\s(?:times|plus|minus|divided|percent|to|in|into)\s|[\p{L}°]{1,8}\s(?:to|in|into|as)\s|:\d\d\s)/iu;

/** Whether words read like a question, an order or a sum rather than a statement. */
export const looksLikeAsk = (text: string): boolean => opensAsk(text) || /\?["”’')\]]*$/.test(text);

/** Whether words open a request of their own after an "and" or a comma. A question mark at the end doesn’t count here. */
export function opensAsk(text: string): boolean {
  const bare = stripCourtesy(text);
  return QUESTION_OR_ORDER.test(bare) || EXPRESSION.test(bare);
}

const ELLIPSIS =
  /^(?:and|what about|how about|what if|now|then|also|or|same|again|the same|but)(?![\p{L}\p{N}])|^(?:in|to|into|as|with(?:out)?|for|from|at|by|on|of)\s|(?:^|\s)(?:that|it|this|them|those|these|instead)[\s.?!]*$/iu;
const MAX_ELLIPSIS_CHARACTERS = 120;

/** Whether a request leans on what was asked before: "and in feet?", "what about Tokyo?", "sort that". */
export const isElliptical = (text: string): boolean =>
  text.length <= MAX_ELLIPSIS_CHARACTERS && ELLIPSIS.test(text);

const PRONOUN = /\b(?:that|it|this|them|those|these|the (?:result|answer|list))\b/i;

/** Whether an order refers to another one’s text: "uppercase that", "make it upper case". */
export const leansBack = (text: string): boolean =>
  text.length <= MAX_ELLIPSIS_CHARACTERS && (ELLIPSIS.test(text) || PRONOUN.test(text));

const POINTING =
  /\b(?:this|these|that|those|following|below|above|it|them|text|paragraphs?|passage|sentences?|lines|list|names|numbers|words|letters|characters|json|csv|data|message|email)\b/i;

/** Whether an instruction points at something that stands beside it: "summarise this", "sort the following lines". */
export const pointsAtMaterial = (text: string): boolean => POINTING.test(text);
