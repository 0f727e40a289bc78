/** Encoding, decoding, hashing and tokens. */
import type { HashAlgorithm } from '../../../../tools/encoding-hash.ts';
import { guessEncoding, type TextEncoding } from '../../../../tools/encoding-text.ts';
import type { Wish } from '../../skill.ts';
import {
  matchFirst,
  nameFor,
  soundsLikeProse,
  subjectOf,
  template,
  type Ask,
  type Subject,
  templates,
  workOn,
} from '../../reading/ask.ts';
import { isBarePhrase } from '../text/change.ts';
import { previousCall } from '../../reading/history.ts';

const BASE64URL = 'base[-\\s]?64[-\\s]?url|url[-\\s]safe base[-\\s]?64';
const BASE64 = 'base[-\\s]?64';
const HEX = 'hex(?:adecimal)?';
/** Names before "encode", "decode" and the like. */
const CODE = `(?<code>${BASE64URL}|${BASE64}|${HEX}|url|uri|percent|html(?:[-\\s]entit(?:y|ies))?|html)`;
/** Names that stand for a form by themselves. "URL" and "HTML" do not: other things are turned into those. */
const FORM = `(?<code>${BASE64URL}|${BASE64}|${HEX}|(?:url|uri|percent)[-\\s]?(?:encoding|encoded|escaped|safe)(?: form| text)?|html[-\\s](?:entities|escapes|escaped|encoded|encoding|safe)(?: form| text)?)`;
const STRING = '(?: (?:string|text|value|data|code|message))?';

const ENCODE = templates(`
  ${CODE}[-\\s]?(?:en(?:code|coding)|escape|version|form|representation)(?: (?:of|for))? {}
  (?:encode|escape) {} (?:in|as|to|into|with|using|for|by) (?:an? )?${CODE}(?:[-\\s](?:encoding|string|format|form|address|query))?
  (?:encode|escape)(?: (?:as|in|to|with|using|for))? ${CODE}(?: (?:in|of))? {}
  (?:convert|turn|change|translate|transform|put|get|give me|show me|make|write) {} (?:in|to|into|as) ${FORM}
  (?:(?:in|to|into|as|now|and|what about|how about) ){1,2}${FORM}(?: (?:instead|now|too|that|it))?
  ${FORM}(?: (?:of|for|that|this|it))? {}
  what(?:['’]?s| is) {} (?:in|as|to|into) ${FORM}
`);
const ENCODE_LOOSE = [template(`{} (?:in|to|as|into) ${FORM}`)];
const DECODE = templates(`
  ${CODE}[-\\s]?(?:decode|decoding|un-?escape|to (?:plain )?text)(?: (?:of|for))? {}
  (?:decode|un-?escape|un-?encode|convert|translate) {} (?:from|as|with|using) ${CODE}${STRING}(?: (?:to|into) (?:plain )?(?:text|ascii|utf-?8|string))?
  (?:decode|un-?escape|un-?encode)(?: (?:the|this|that|my|these))?(?: following)? ${CODE}(?:[-\\s]encoded)?${STRING}(?: (?:in|of))? {}
  (?:convert|turn|translate) (?:this |the |that )?${CODE}${STRING} {} (?:to|into) (?:plain |normal )?(?:text|ascii|utf-?8|string)
  (?:un-?|de)${CODE} {}
  what does {} (?:say|mean|decode to|stand for)(?: (?:in|from|as))? ${CODE}
`);
const DECODE_ANY = templates(`
  what does {} decode to
  (?:decode|decipher|un-?encode|un-?escape) {}
  (?:and )?(?:back|decode|undo (?:that|it)|reverse (?:the )?(?:encoding|that encoding))(?: again)?
`);

/** Recognises "base64 encode hello world", "decode aGVsbG8=", "url-encode a b&c", "now in hex". */
export function recogniseCode(ask: Ask): Wish | null {
  const { words } = ask;
  const decode = matchFirst(words, DECODE);
  if (decode !== null && decode['code'] !== undefined) {
    const encoding = encodingOf(decode['code']);
    const accepts = (rest: string): boolean => !soundsLikeProse(rest) || /[%&=]/.test(rest);
    return codeIntent('decode_text', encoding, subjectOf(decode['rest'], ask, { accepts }));
  }
  const encode = matchFirst(words, ENCODE);
  if (encode !== null) return encodeIntent(encode, ask);
  const any = matchFirst(words, DECODE_ANY);
  if (any !== null) return decodeIntent(any['rest'], ask);
  const loose = matchFirst(words, ENCODE_LOOSE);
  if (loose === null) return null;
  const rest = (loose['rest'] ?? '').replace(
    /^(?:what(?:['’]?s| is)|how (?:do|would) (?:you|i) write) /i,
    '',
  );
  const accepts = (text: string): boolean => isBarePhrase(text) && !isNumber(text);
  return codeIntent(
    'encode_text',
    encodingOf(loose['code']),
    subjectOf(rest, ask, { accepts, isGuess: true }),
  );
}

function encodeIntent(groups: Record<string, string | undefined>, ask: Ask): Wish | null {
  const encoding = encodingOf(groups['code']);
  const isClear = /\b(?:encod|escap)/i.test(ask.words);
  // A number in hexadecimal is arithmetic; "hex colours" and "base64 is …" are talk.
  const accepts = (rest: string): boolean =>
    !(encoding === 'hex' && isNumber(rest)) &&
    (isClear
      ? !/^(?:is|are|was|vs|or|and|works?)\s/i.test(rest)
      : !/\s/.test(rest.trim()) || (/\bof\b/i.test(ask.words.slice(0, 30)) && !soundsLikeProse(rest)));
  const isAgain =
    /^(?:that|it|this|instead|too)?$/i.test(groups['rest'] ?? '') &&
    /^(?:in|to|into|as|now|and|what about|how about)\s/i.test(ask.words);
  const again = isAgain ? workedOn('encode_text', ask) : null;
  const subject = again ?? subjectOf(groups['rest'], ask, { accepts, isGuess: !isClear });
  if (
    subject !== null &&
    encoding === 'hex' &&
    subject.from !== 'material' &&
    isNumber(subject.text) &&
    !isClear
  )
    return null;
  return codeIntent('encode_text', encoding, subject);
}

/** "And in hex?", "and sha1?" mean the text that was worked on, not what it became. */
function workedOn(tool: string, { request, material }: Ask): Subject | null {
  const text = material === null ? previousCall(request.history, [tool])?.input['text'] : null;
  return typeof text === 'string' ? { text, isGuess: false, from: 'history' } : null;
}

function decodeIntent(rest: string | undefined, ask: Ask): Wish | null {
  const accepts = (text: string): boolean =>
    /\s/.test(text.trim()) ? guessEncoding(text) === 'html' : guessEncoding(text) !== null;
  const subject = subjectOf(rest, ask, { accepts });
  if (subject === null) return null;
  if (isToken(subject.text))
    return { tool: 'decode_jwt', input: { token: subject.text.trim() }, isGuess: subject.isGuess };
  const before =
    subject.from === 'history' ? previousCall(ask.request.history, ['encode_text'])?.input['encoding'] : null;
  const encoding = typeof before === 'string' ? (before as TextEncoding) : guessEncoding(subject.text);
  return encoding === null ? null : codeIntent('decode_text', encoding, subject);
}

const codeIntent = (tool: string, encoding: TextEncoding, subject: Subject | null): Wish | null =>
  workOn(subject, tool, { encoding });

const ENCODINGS = { base64url: BASE64URL, base64: BASE64, hex: HEX, html: 'html.*', url: '.*' };

const encodingOf = (name: string | undefined): TextEncoding => nameFor(ENCODINGS, name) ?? 'url';

function isNumber(text: string): boolean {
  return /^(?:rgba?\b)?[\s(]*[-+]?\d[\d.,%\s]*\)?$/i.test(text.trim());
}

const ALGORITHM = '(?<algorithm>md5|sha[-\\s_]?(?:1|256|384|512))';
const HASH = templates(`
  (?:what(?:['’]?s| is) )?(?:(?:the|a|an) )?${ALGORITHM}(?:[-\\s]?(?:hash(?:ed|ing)?|sum|digest|checksum))?(?<of> (?:of|for|from))? {}
  (?:compute|calculate|generate|make|create|get|give me|find|show me|take|work out)(?: (?:the|a|an|me))?(?: hash)? ${ALGORITHM}(?:[-\\s]?(?:hash|sum|digest|checksum))?(?<of> (?:of|for|from))? {}
  (?<of>hash) {} (?:with|using|in|as|by|to) ${ALGORITHM}
  (?:convert|turn) {} (?:to|into) (?:an? )?${ALGORITHM}(?: hash)?
  (?:(?:and|in|as|with|using|now|what about|how about|to) ){1,3}${ALGORITHM}(?: (?:instead|too|now|then))?
  (?:(?:compute|calculate|get|give me|what is|what['’]?s|make) )?(?:(?:a|the) )?(?<of>hash|checksum|digest)(?: (?:of|for))? {}
`);

/** Recognises "sha256 of hello", 'md5 "x"', "and sha1?". */
export function recogniseHash(ask: Ask): Wish | null {
  const groups = matchFirst(ask.words, HASH);
  if (groups === null) return null;
  const again = groups['rest'] === undefined ? workedOn('hash_text', ask) : null;
  const isOf =
    / of\b| for\b/i.test(groups['of'] ?? '') ||
    /\bhash .* (?:with|using|in|as|by)\b/is.test(ask.words.slice(0, 2000));
  const isNamed = groups['algorithm'] !== undefined;
  const accepts = (rest: string): boolean => {
    if (isOf) return isNamed;
    return (
      isNamed &&
      !/^(?:what|how|why)/i.test(ask.words) &&
      !soundsLikeProse(rest) &&
      !/^(?:hash|algorithm|collision|function|checksum)/i.test(rest)
    );
  };
  const subject = again ?? subjectOf(groups['rest'], ask, { accepts, isGuess: !isOf });
  return workOn(subject, 'hash_text', { algorithm: algorithmOf(groups['algorithm']) });
}

function algorithmOf(name = 'sha256'): HashAlgorithm {
  const bits = /\d+$/.exec(name)?.[0];
  if (bits === '1') return 'sha-1';
  if (bits === '5') return 'md5';
  return bits === '384' ? 'sha-384' : bits === '512' ? 'sha-512' : 'sha-256';
}

const TOKEN = /(?<![\w.-])eyJ[\w-]{5,20000}\.[\w-]{2,80000}\.[\w-]{0,20000}(?![\w.-])/;

/** Recognises "decode this jwt: eyJ…". */
export function recogniseToken(ask: Ask): Wish | null {
  const token = TOKEN.exec(ask.material ?? ask.words)?.[0] ?? ask.quotations.find(isToken);
  if (
    token === undefined ||
    !/\b(?:decode|jwt|token|what|inspect|claims?|payload|parse|read|show|explain)\b/i.test(
      ask.words.replace(token, ' ').slice(0, 300),
    )
  )
    return null;
  return { tool: 'decode_jwt', input: { token } };
}

function isToken(text: string): boolean {
  return TOKEN.exec(text.trim())?.[0] === text.trim();
}
