/** What is asked about JSON. */
import { stepsOfPath, valueAt } from '../../../../tools/data-json-value.ts';
import type { Wish } from '../../skill.ts';
import { isJsonLike, valueOf, type DataAsk } from './material.ts';
import { countIn } from '../../reading/ask.ts';

const CHECK =
  /\b(?:valid|validate|validity|invalid|check|verify|lint|well[-\s]?formed|syntax|broken|malformed|correct json|parses?|mistakes?|errors?)\b|\bwrong with\b|\bok(?:ay)?\b.*\bjson\b|\bjson\b.*\bok(?:ay)?\b/i;
const MINIFY =
  /\b(?:minif\w*|compact|compress|uglify|(?:one|single) line|(?:remove|strip|without) (?:all |the )?(?:white ?space|spaces|indentation))\b/i;
const INDENT =
  /\b(?:re-?format|format|prettif\w*|pretty(?:[-\s]?print)?|beautif\w*|(?:re-?)?indent\w*|tidy|clean|lay (?:this |it )?out|readable|nicely)\b/i;
const SORT_KEYS =
  /\b(?:sort|order|alphabeti[sz]e|arrange)\w*\b.{0,30}\bkeys?\b|\bkeys?\b.{0,20}\b(?:sorted|in order|alphabetical\w*)\b|\bsorted keys\b/i;
const SPACES =
  /\b(?<spaces>\d|two|three|four|six|eight)[-\s](?:spaces?|space indent\w*)\b|\bindent\w*(?: of| by| with| =)? (?<indent>\d)\b/i;
const OTHER_FORM = /\b(?:as|to|into)\b.{0,12}\b(?:table|csv|tsv|markdown)\b|\btable\b/i;
const LOOK_UP =
  /^(?:(?:get|what(?:['’]?s| is| are)?|show|read|find|give|pick|extract|look up|return|print|select|fetch)(?: me)? )?(?:the )?(?:value )?(?:(?:of|at|for|in|under) )?(?:the )?(?:(?:key|field|property|path) )?(?<path>[$\w][\w$.[\]"'-]{0,200}?)(?: (?:key|field|property|value))?(?: (?:in|from|of|out of|inside|is)(?: .{0,40})?)?[\s?.!:]*$/i;
const NOT_A_PATH = new Set('this that it json the is a what here data value and hello hi'.split(' '));

/** Recognises "is this valid JSON? {…}", "format this json", "get user.name from {…}". */
export function recogniseJson(ask: DataAsk): Wish | null {
  const { words, data, isGuess, previous } = ask;
  const isNamed = /\bjson\b/i.test(words);
  if (!isJsonLike(data) && !isNamed) return null;
  if (previous !== null && !isJsonLike(data)) return null;
  const isCheck = CHECK.test(words) && !INDENT.test(words);
  if (isCheck) return { tool: 'check_json', input: { text: data }, isGuess };
  if (!isJsonLike(data)) return null;
  if (OTHER_FORM.test(words)) return null;
  const sortKeys = SORT_KEYS.test(words) ? { sortKeys: true } : {};
  if (MINIFY.test(words))
    return { tool: 'format_json', input: { text: data, style: 'minified', ...sortKeys }, isGuess };
  if (INDENT.test(words) || SORT_KEYS.test(words)) {
    return { tool: 'format_json', input: { text: data, ...indentIn(words), ...sortKeys }, isGuess };
  }
  if (previous?.tool === 'format_json' && indentIn(words).indent !== undefined && words.length < 60) {
    return { tool: 'format_json', input: { text: data, ...indentIn(words) } };
  }
  return lookUp(ask);
}

function indentIn(words: string): { indent?: number } {
  const { spaces, indent } = SPACES.exec(words)?.groups ?? {};
  const count = countIn(spaces ?? indent, 0);
  return count >= 1 && count <= 8 ? { indent: count } : {};
}

function lookUp({ words, data, isGuess }: DataAsk): Wish | null {
  const path = LOOK_UP.exec(words)?.groups?.['path'];
  if (path === undefined || words === '') return null;
  const steps = stepsOfPath(path);
  if (steps.length === 0 || NOT_A_PATH.has(path.toLowerCase())) return null;
  const value = valueOf(data);
  const isThere = value !== undefined && valueAt(value, steps).found;
  const isPath = /[\w\]]\.[\w$[]|\w\[\d+\]/.test(path);
  if (!isThere && !isPath) return null;
  return {
    tool: 'get_json_value',
    input: { text: data, path },
    isGuess: isGuess || !isThere,
  };
}
