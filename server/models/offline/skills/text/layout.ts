/** Lists, line breaks and white space. */
import type { TextLayout } from '../../../../tools/text-format.ts';
import type { Wish } from '../../skill.ts';
import {
  matchFirst,
  nameFor,
  soundsLikeProse,
  subjectOf,
  type Ask,
  namedTemplates,
  workOn,
} from '../../reading/ask.ts';
import { conversionTemplates } from './change.ts';

const LIST_LAYOUTS = {
  bullet_list:
    'bullet(?:ed)?[-\\s]?(?:points?)?(?:[-\\s](?:list|form))?|bullets|list of bullets|bullet[-\\s]?point list|unordered list|markdown list|dashes',
  numbered_list: '(?:numbered|ordered|enumerated) (?:list|lines|items)|numbered',
  comma_list:
    'comma[-\\s](?:separated|delimited)(?: (?:list|values|line|string|form))?|comma list|commas|(?:one )?line separated by commas',
  lines:
    '(?:one|1) (?:item |entry |word |name |value )?(?:per|on each|a) line|(?:separate|new|individual|single) lines|lines|a line each|plain lines',
  join_lines: '(?:one|a single|single|1) (?:line|paragraph)',
} satisfies Partial<Record<TextLayout, string>>;
const TO_LAYOUT = conversionTemplates(Object.values(LIST_LAYOUTS).join('|'));

const REMOVE =
  '(?:remove|delete|strip(?: out)?|drop|get rid of|clean up|take out|trim(?: off)?|eliminate)(?: (?:the|all|any)){0,2}';
const OUT_OF = '(?: (?:from|in|of|out of|on|at|around|within|between)(?: the (?:ends?|edges?) of)?)?';
const TIDY = namedTemplates(`
  ${REMOVE} (?:blank|empty) lines${OUT_OF} {}  => remove_blank_lines
  ${REMOVE} (?:line ?breaks|new ?lines|line feeds)${OUT_OF} {}  => join_lines
  (?:join|combine|merge|separate) {} (?:with|by|using) (?:a )?commas?  => comma_list
  (?:join|merge|combine|unwrap)(?: (?:the|these|all)){0,2} lines(?: (?:of|in))? {}  => join_lines
  ${REMOVE} (?:leading and trailing|trailing and leading|trailing|leading|surrounding) (?:white ?spaces?|spaces?|blanks)${OUT_OF} {}  => trim_lines
  (?:${REMOVE}|collapse|squeeze|normali[sz]e|fix|reduce)(?: (?:the|all|any))? (?:extra|double|multiple|repeated|unnecessary|superfluous|excess|redundant|duplicate) (?:white ?spaces?|spaces?|blanks)${OUT_OF} {}  => collapse_spaces
  (?:collapse|squeeze|normali[sz]e)(?: the)? (?:white ?space|spaces|spacing)(?: (?:in|of))? {}  => collapse_spaces
  trim {}  => trim_lines
  split {}(?: (?:up))? (?:into|onto|by|at|on)(?: the| separate| single)? (?:lines|commas?|semi-?colons?|items)  => lines
  (?:and |now )?number (?:them|these|those|it|that|this)(?: (?:lines|items))?  => numbered_list
  number(?: (?:the|these|this|all|each)){0,2} (?:list|lines?|items?|entries)(?: (?:of|in))? {}  => numbered_list
`);
/** Recognises "turn this into a bullet list", "remove blank lines". */
export function recogniseLayout(ask: Ask): Wish | null {
  const { words } = ask;
  if (words.length > 2000) return null;
  for (const [layout, pattern] of TIDY) {
    const groups = matchFirst(words, [pattern]);
    if (groups !== null) {
      const accepts = (rest: string): boolean =>
        (layout === 'lines' || layout === 'comma_list') && /[,;\n]/.test(rest);
      return workOn(subjectOf(groups['rest'], ask, { accepts, isGuess: true }), 'format_text', { layout });
    }
  }
  const groups = matchFirst(words, TO_LAYOUT.clear) ?? matchFirst(words, TO_LAYOUT.loose);
  if (groups === null) return null;
  const layout = nameFor(LIST_LAYOUTS, groups['target']) ?? 'bullet_list';
  // "Commas" or "lines" alone name no layout; they need a verb before them.
  if (/^(?:commas|lines|dashes|numbered|single line|one line)$/i.test(words.trim())) return null;
  const accepts = (rest: string): boolean => /[,;\n]/.test(rest) && !soundsLikeProse(rest);
  return workOn(subjectOf(groups['rest'], ask, { accepts, isGuess: true }), 'format_text', { layout });
}
