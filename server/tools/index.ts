/** Parley's own tools, but for those that need something from a person. */
import { convertTableTool } from './data-convert.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from './data-json.ts';
import { queryTableTool } from './data-query.ts';
import { hashTextTool } from './encoding-hash.ts';
import { decodeJwtTool } from './encoding-jwt.ts';
import {
  generatePasswordTool,
  generateUuidTool,
  randomChoiceTool,
  randomNumbersTool,
} from './encoding-random.ts';
import { decodeTextTool, encodeTextTool } from './encoding-text.ts';
import { convertTime, currentTime, dateAdd, dateDifference, dateInfo } from './dates/index.ts';
import { calculate } from './maths/calculate.ts';
import { convertUnits } from './maths/convert-units.ts';
import { findNotes, forgetNote, rememberNote } from './notes.ts';
import { searchMessages } from './search.ts';
import { changeCaseTool } from './text-case.ts';
import { countTextTool } from './text-count.ts';
import { extractFromTextTool } from './text-extract.ts';
import { formatTextTool, replaceTextTool, reverseTextTool } from './text-format.ts';
import { removeDuplicatesTool, sortListTool } from './text-lists.ts';
import { summariseTextTool } from './text-summary.ts';
import type { ThreadTool, Tool } from './tool.ts';

/** Calculation and units. */
export const MATHS_TOOLS: readonly Tool[] = [calculate, convertUnits];

/** Dates, times and zones. */
export const DATE_TOOLS: readonly Tool[] = [currentTime, convertTime, dateDifference, dateAdd, dateInfo];

/** Tools that work on plain text. */
export const TEXT_TOOLS: readonly Tool[] = [
  summariseTextTool,
  countTextTool,
  sortListTool,
  removeDuplicatesTool,
  extractFromTextTool,
  changeCaseTool,
  formatTextTool,
  reverseTextTool,
  replaceTextTool,
];

/** Tools that work on JSON and on tables (CSV, Markdown, JSON lists). */
export const DATA_TOOLS: readonly Tool[] = [
  checkJsonTool,
  formatJsonTool,
  getJsonValueTool,
  convertTableTool,
  queryTableTool,
];

/** Tools that encode, decode, hash and make up random values. */
export const ENCODING_TOOLS: readonly Tool[] = [
  encodeTextTool,
  decodeTextTool,
  hashTextTool,
  decodeJwtTool,
  generateUuidTool,
  generatePasswordTool,
  randomNumbersTool,
  randomChoiceTool,
];

/** What the person asked to have remembered. */
export const NOTE_TOOLS: readonly Tool[] = [rememberNote, findNotes, forgetNote];

/** Every tool of the agents' thread. */
export const THREAD_TOOLS: readonly ThreadTool[] = [
  ...MATHS_TOOLS,
  ...DATE_TOOLS,
  ...TEXT_TOOLS,
  ...DATA_TOOLS,
  ...ENCODING_TOOLS,
];

/** Every tool that is there in every chat. */
export const ALL_TOOLS: readonly Tool[] = [...THREAD_TOOLS, ...NOTE_TOOLS, searchMessages];
