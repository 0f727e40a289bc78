/** What servers say when they refuse a request: the words of those in use, by what they mean. */

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'i');

/** A limit that only the whole of a request can reach. */
const OF_CONTEXT = any(
  'context[ _-]?(?:length|window|size|limit|overflow|shift)',
  'n_ctx|num_ctx|n_keep|max_model_len|max_seq_len|max_prompt_tokens|kv[ _-]?(?:cache|size)|cache (?:size|allocated)|memory slot',
  'too (?:long|large) for (?:this |the )?(?:requested )?model',
  // What is left for the answer.
  'max_\\w*tokens must be at least 1, got -',
  'expected maxLength: \\d+, actual|超长|[过太]长|超[过出].{0,12}(?:长度|限制|上限|token)',
);
/** What a request consists of … */
const PART =
  /\b(?:context|prompts?|inputs?|input_ids|tokens?|sequence\w*|conversation|history|messages?|request|text)\b|(?:model|maximum) length/i;
/** … and words for too much of it, in the same sentence. */
const TOO_MUCH = any(
  "exceed|overflow|truncated|too (?:long|large|big|many)|(?:not|n[’']t) fit|[<>]=",
  '\\b(?:longer|greater|larger|bigger) than\\b',
  '\\b(?:more|less|fewer) than\\b[^.]{0,30}(?:\\d|max|limit)|\\bno more than \\d|\\bup to \\d',
  '\\bmax\\w*\\b[^.]{0,40}\\d{3}|(?:token|length) limit: \\d',
  '\\b(?:reduce|shorten|decrease|shorter|fewer|smaller)\\b|length should be',
);
const TOO_LONG_CODE =
  /context_length_exceeded|context_window|exceed_context_size|string_above_max_length|max_prompt_tokens|request_too_large/i;
/** Words of other limits: of the answer, of pictures, of a field … */
const OTHER_LIMIT = any(
  '(?:max_(?:completion_|output_|new_)?tokens|maxOutputTokens)`?[\'"]?:? (?:is(?! \\d)|must|should|value)\\b(?!.*(?:input|prompt|messages|got -))',
  '(?<!tokens of )\\b(?:image|picture|file|audio|video|document|pdf|schema|description|header|cookie)s?\\b[^.]{0,40}(?:exceed|too (?:large|big|long|many))',
  'array too long|too many (?:tools|images|files|levels)|invalid [\'"](?![^\'"]*content)[^\'"]+[\'"]: string too long',
);
/** … and, in the same sentence, of an account, a pace, a time or a number of things. */
const OTHER_SUBJECT = any(
  '\\b(?:output|completion) (?:tokens|length)|\\bmax\\w* tokens (?:you|value)|^[`\'"]?max_\\w*tokens|(?:tool|cache|stop|top|logit)[ _]\\w+|\\btools?:|top_p|documents',
  'input should be|\\btook\\b|tim(?:e|ed)[ -]?out|\\d seconds|\\bcredits?\\b|budget|\\brate\\b|levels',
  '\\bquota\\b|\\bper (?:minute|hour|day|month)|daily|monthly|\\b(?:plan|tier|account)\\b',
);

const NOT = "(?:not|n[’']t|cannot|unable to|un(?=supported))";
const TOOLS = '(?:tool|function)(?:s|[ _-]?(?:use|call(?:s|ing)?|choice))?';
const NO_TOOLS = any(
  // “does not support tools”, “doesn’t currently support function calling”, “cannot use tools”
  `${NOT}\\b[^.,;:]{0,24}\\b(?:support|accept|allow|use|have|handle|capable of)\\w*\\b[^.,;:]{0,24}(?<![\\w.])["'\`]?${TOOLS}\\b`,
  // “tools are not supported”, “`tool calling` is not supported with this model”, “Function calling is not enabled for …”
  `(?<![\\w.])["'\`]?${TOOLS}\\b[^.,;:]{0,32}\\b(?:${NOT}|no)\\b[^.,;:]{0,16}(?:support|enabled|available|allowed|implement|permitted)`,
  `(?<![\\w.])["'\`]?${TOOLS}\\b[^.,;:]{0,24}\\bunsupported|unsupported\\b[^.,;]{0,24}(?<![\\w.])["'\`]?${TOOLS}\\b`,
  'no (?:endpoints?|providers?|models?) (?:found|available)\\b[^.]{0,40}\\btool[_ ](?:use|choice)',
  `no (?:support for|support of) ${TOOLS}\\b`,
  `(?:without|lacks?|missing) (?:native )?${TOOLS} (?:support|capabilit)`,
  'tool choice requires --|tools param requires --jinja|--tool-call-parser',
  'not\\b[^.]{0,40}\\bsupports? tool use|not been implemented: tools',
  '(?:unrecognized|unknown|unexpected|extra)\\b[^.]{0,40}\\btools$',
);

/** What is wrong with one picture, not with all. */
const OF_FILE = '[ _](?:types?|formats?|sizes?|urls?|files?|media|mime|detail)\\b';
const NO_PICTURES = any(
  `\\b(?:image|picture|vision|multi-?modal)s?\\b(?!/|${OF_FILE})[^.,;:]{0,24}\\b${NOT}\\b[^.,;:]{0,16}(?:support|enabled|available|allowed)`,
  `${NOT}\\b[^.,;:]{0,24}\\b(?:support|accept|allow)\\w*\\b[^.,;:]{0,24}\\b(?:image|picture|vision)s?\\b(?!/|${OF_FILE})`,
  'no endpoints found that support image|unknown variant `image_url`|not a multi-?modal model',
);

const LOADING = any(
  '\\bloading\\b[^.]{0,20}\\bmodel',
  '\\bmodel\\b.{0,120}\\b(?:is|currently|still)\\b[^.]{0,16}\\b(?:loading|starting|initiali[sz]ing)\\b',
  '\\bmodel\\b.{0,120}\\bbeing (?:loaded|started|initiali[sz]ed|pulled|downloaded)\\b',
  '\\bmodel\\b[^.]{0,60}\\bnot (?:yet )?(?:ready|loaded yet)',
  'warming up|cold start|server is (?:starting|loading)',
);

const LOAD_FAILED = /\b(?:error|fail\w*|unable|cannot|can[’']t|could(?: not|n[’']t)|time[d-]? ?out)\b/i;

/** What the model wrote was at fault; servers quote it. */
const BAD_OUTPUT = any(
  'failed_generation|error parsing tool call|failed to (?:call a function|validate json|generate json)',
  'failed to parse (?:input|tool call) at pos',
);

/** An account without credit; a limit of a pace may name the same page. */
const USED_UP =
  /insufficient[_ ](?:quota|credit|balance|funds)|exceeded your current quota|credit balance|billing|out of credits/i;
/** A limit that doesn't pass within minutes. */
const OF_THE_DAY = /per ?day|daily|per ?month|monthly|PerDay/i;

/** Whether these words, or the codes beside them, mean that the request was too long. */
export const saysTooLong = (words: string, codes = ''): boolean =>
  (OF_CONTEXT.test(words) || TOO_LONG_CODE.test(codes) || words.split(/[.!;]\s|\n/).some(isTooMuch)) &&
  !OTHER_LIMIT.test(words) &&
  !exceedsAlone(words);

const isTooMuch = (sentence: string): boolean =>
  PART.test(sentence) && TOO_MUCH.test(sentence) && !OTHER_SUBJECT.test(sentence);

/** A limit of the answer that no model with this context could have: “'max_tokens' is too large: 9000. … context length is 8192”. */
function exceedsAlone(words: string): boolean {
  const [, asked, reads] = /tokens['"`]? is too large: (\d+)\b.*\bcontext length is (\d+)/i.exec(words) ?? [];
  return Number(asked) >= Number(reads);
}

/** Whether these words mean that the model can't use tools. */
export const saysNoTools = (words: string): boolean => NO_TOOLS.test(words);

/** Whether these words mean that the model can't see pictures. */
export const saysNoPictures = (words: string): boolean => NO_PICTURES.test(words);

/** Whether these words mean that the model is being loaded. */
export const saysLoading = (words: string): boolean => LOADING.test(words) && !LOAD_FAILED.test(words);

/** Whether these words mean that the model wrote something wrong, rather than the request. */
export const saysBadOutput = (words: string): boolean => BAD_OUTPUT.test(words);

/** Whether these words mean that the account is used up. `isWaitable`: the server says how long to wait. */
export const saysUsedUp = (words: string, isWaitable: boolean): boolean =>
  isWaitable ? OF_THE_DAY.test(words) || /insufficient_quota/.test(words) : USED_UP.test(words);

/** A request of which one alone exceeds what is allowed in a minute: “Limit 6000, Requested 8000”. */
export function exceedsPace(words: string): boolean {
  const [, limit, requested] = /\bLimit:? ([\d,]+).*\bRequested:? ([\d,]+)/i.exec(words) ?? [];
  const count = (number = ''): number => Number(number.replaceAll(',', ''));
  return count(requested) > count(limit) && /token/i.test(words);
}
