/** Where the JSON or the table is that a request is about. */
import { looksTabular, readTable } from '../../../../tools/data-table.ts';
import { DATA_TOOLS } from '../../../../tools/index.ts';
import { parseJson } from '../../../../tools/data-json-value.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import { takeFences } from '../../reading/marks.ts';
import type { Exchange, Request } from '../../skill.ts';
import { readAsks } from '../../reading/ask.ts';
import { materialOf, previousCall, type PreviousCall } from '../../reading/history.ts';

/** Data a request is about, and the words that ask about it. */
export interface DataAsk {
  words: string;
  data: string;
  kind: 'json' | 'table';
  isGuess: boolean;
  /** The call the data comes from, when the earlier conversation supplied it. */
  previous: PreviousCall | null;
  request: Request;
}

const NAMES = DATA_TOOLS.map(({ name }) => name);

/** Exchanges looked back over for data: questions about a table often come in a row. */
const LOOK_BACK = 10;

const MAX_WORDS_LENGTH = 300;

/** The readings of a request as being about data, the likeliest first. */
export function readDataAsks(request: Request): DataAsk[] {
  const inline = inlineJson(request.text);
  if (inline !== null) return [dataAsk(inline.words, inline.data, false, request)];
  const asks: DataAsk[] = [];
  for (const { words, material: given } of readAsks(request)) {
    if (given === null || words.length > MAX_WORDS_LENGTH) continue;
    const material = withoutHeading(given);
    if (isJsonLike(material) || looksTabular(material) || /\bjson\b/i.test(words)) {
      asks.push(dataAsk(words, material, false, request));
    }
  }
  if (asks.length > 0 || request.text.length > MAX_WORDS_LENGTH) return asks;
  const previous = earlierData(request.history);
  return previous === null
    ? []
    : [
        {
          ...dataAsk(stripCourtesy(request.text), previous.data, previous.isGuess, request),
          previous: previous.call,
        },
      ];
}

function dataAsk(words: string, data: string, isGuess: boolean, request: Request): DataAsk {
  return {
    words: words.trim(),
    data,
    kind: isJsonLike(data) ? 'json' : 'table',
    isGuess,
    previous: null,
    request,
  };
}

/** True for text that begins like a JSON object or list. */
export function isJsonLike(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** JSON in the same line as the words: `is this valid JSON? {"a": 1}`. */
function inlineJson(text: string): { words: string; data: string } | null {
  const start = text.slice(0, 400).search(/\{|(?<![\w\]])\[\s*(?:[[{"\d]|-\d|true|false|null)/);
  if (start === -1) return null;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const data = end > start ? text.slice(start, end) : text.slice(start);
  const words = `${text.slice(0, start)} ${end > start ? text.slice(end) : ''}`;
  // "Format [1,2" is broken JSON all the same; prose with brackets in it is not.
  return words.length <= MAX_WORDS_LENGTH
    ? { words: stripCourtesy(words.replace(/[\s:`'"“”]+/g, ' ')).trim(), data }
    : null;
}

interface EarlierData {
  data: string;
  isGuess: boolean;
  call: PreviousCall | null;
}

function earlierData(history: readonly Exchange[]): EarlierData | null {
  for (const exchange of history.slice(-LOOK_BACK).reverse()) {
    const call = previousCall([exchange], NAMES);
    const text = call === null ? null : call.input['text'];
    if (call !== null && typeof text === 'string') return { data: text, isGuess: false, call };
    const told = [materialOf(exchange.question), takeFences(exchange.answer).code, tableIn(exchange.answer)];
    const data = told.find(
      (candidate) => candidate !== null && (looksTabular(candidate) || isJsonLike(candidate)),
    );
    if (typeof data === 'string') {
      return { data: withoutHeading(data), isGuess: exchange !== history.at(-1), call: null };
    }
  }
  return null;
}

/** "Here is my table:" before the table itself. */
function withoutHeading(data: string): string {
  const end = data.indexOf('\n');
  if (end === -1 || !/[:.]\s*$/.test(data.slice(0, Math.min(end, MAX_WORDS_LENGTH)))) return data;
  const rest = data.slice(end).trim();
  return looksTabular(rest) || isJsonLike(rest) ? rest : data;
}

function tableIn(markdown: string): string | null {
  const lines = markdown.split('\n').filter((line) => line.trim().startsWith('|'));
  return lines.length > 2 ? lines.join('\n') : null;
}

let lastRead: { data: string; columns: string[]; rows: number; cells: string[][] } | null = null;

/** Columns, row count and cells of a table; the last one read is kept, since a request is looked at several times. */
export function shapeOf(data: string): { columns: string[]; rows: number; cells: string[][] } {
  if (lastRead?.data === data) return lastRead;
  try {
    const { columns, rows } = readTable(data);
    lastRead = {
      data,
      columns,
      rows: rows.length,
      cells: rows.map((row) => row.map(({ text }) => text.trim())),
    };
  } catch {
    lastRead = { data, columns: [], rows: 0, cells: [] };
  }
  return lastRead;
}

/** The value of JSON text, or undefined when it is not JSON. */
export function valueOf(data: string): unknown {
  try {
    return parseJson(data);
  } catch {
    return undefined;
  }
}
