/** Open WebUI writes calls of tools, code and reasoning into a reply's text, as `details` elements. */
import { decodeHTMLStrict } from 'entities/decode';
import { attempt } from '../../../shared/attempt.ts';
import { fieldsOf, textOf } from '../../lib/fields.ts';
import { attributesOf } from './markup.ts';
import { call, callInput, itemsIn, missing, result, textPart, type SourcePart } from './source-chat.ts';

const OPENING = /^[ \t]{0,8}<details\b([^>]*)>/;
const TYPE = /\stype="(reasoning|tool_calls|code_interpreter)"/;
const CLOSING = '</details>';
const CODE_CLOSING = `\n\`\`\`\n${CLOSING}`;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;

/** The parts of a reply's text. An element in a block of code, or one that isn't closed, stays text. */
export function detailsParts(written: string): SourcePart[] {
  const parts: SourcePart[] = [];
  const lastCodeEnd = written.lastIndexOf(CODE_CLOSING);
  let plainFrom = 0;
  let isInFence = false;
  for (let at = 0; at < written.length;) {
    const lineEnd = written.indexOf('\n', at);
    const next = lineEnd === -1 ? written.length : lineEnd + 1;
    const line = written.slice(at, next);
    const [tag = '', inTag = ''] = isInFence ? [] : (OPENING.exec(line) ?? []);
    const type = TYPE.exec(inTag)?.[1];
    const inside = at + tag.length;
    const end =
      type === undefined
        ? -1
        : closingOf(written, inside, type === 'code_interpreter' && lastCodeEnd >= inside);
    if (FENCE.test(line)) isInFence = !isInFence;
    // None is closed from here on.
    if (type !== undefined && end === -1) break;
    if (type === undefined) {
      at = next;
      continue;
    }
    parts.push(...textPart(written.slice(plainFrom, at).trim()));
    const body = written.slice(inside, end).replace(/<summary>[^<]*<\/summary>/, '');
    parts.push(...elementParts(type, attributesOf(inTag), body));
    at = plainFrom = end + CLOSING.length;
  }
  return [...parts, ...textPart(parts.length === 0 ? written : written.slice(plainFrom).trim())];
}

/** Code isn't escaped, so it may hold the closing tag itself. */
const closingOf = (written: string, from: number, isCode: boolean): number =>
  isCode
    ? written.indexOf(CODE_CLOSING, from) + CODE_CLOSING.length - CLOSING.length
    : written.indexOf(CLOSING, from);

function elementParts(type: string, named: ReadonlyMap<string, string>, body: string): SourcePart[] {
  const valueOf = (name: string): unknown => parsed(named.get(name) ?? '');
  switch (type) {
    case 'reasoning':
      return [{ kind: 'reasoning', text: plainQuotes(body) }];
    case 'code_interpreter': {
      const code = codeIn(body);
      return withOutput(call(null, type, code), type, printed(valueOf('output')));
    }
    default: {
      const name = textOf(valueOf('name')) ?? 'tool';
      const output = named.has('result') ? valueOf('result') : decodeHTMLStrict(body).trim();
      const pictures = [...itemsIn(valueOf('files')), ...itemsIn(valueOf('embeds'))].map(() =>
        missing('file'),
      );
      return [...withOutput(call(null, name, valueOf('arguments')), name, output), ...pictures];
    }
  }
}

/** The code in the body's fence. */
function codeIn(body: string): string {
  const fence = body.indexOf('```');
  const start = body.indexOf('\n', fence) + 1;
  const end = body.lastIndexOf('\n```');
  return fence === -1 || end < start ? body.trim() : body.slice(start, end);
}

const withOutput = (called: SourcePart, tool: string, output: unknown): SourcePart[] =>
  output === '' || output === null ? [called] : [called, result(tool, output)];

/** A value in an attribute; the app encodes texts that are JSON themselves once more. */
const parsed = (value: string): unknown =>
  callInput(value.startsWith('"') ? (attempt(() => JSON.parse(value) as unknown) ?? value) : value);

/** What code printed, if it did nothing else. */
function printed(output: unknown): unknown {
  const filled = Object.entries(fieldsOf(output)).filter(([, value]) => value !== '' && value !== null);
  return filled.length === 1 ? filled[0]?.[1] : output;
}

const plainQuotes = (inside: string): string =>
  decodeHTMLStrict(inside)
    .split('\n')
    .map((row) => row.replace(/^>[ ]?/, ''))
    .join('\n')
    .trim();
