/** What the catalogue's tools of the agents' thread do; loaded by that thread alone. */
import { convertTime } from './dates/convert-time.ts';
import { currentTime } from './dates/current-time.ts';
import { dateAdd } from './dates/date-add.ts';
import { dateDifference } from './dates/date-difference.ts';
import { dateInfo } from './dates/date-info.ts';
import { DATA_TOOLS, ENCODING_TOOLS, MATHS_TOOLS, NOTE_TOOLS, TEXT_TOOLS } from './lists.ts';
import { searchMessages } from './search.ts';
import type { Tool } from './tool.ts';

export { DATA_TOOLS, ENCODING_TOOLS, MATHS_TOOLS, NOTE_TOOLS, TEXT_TOOLS };

/** Dates, times and zones. */
export const DATE_TOOLS: readonly Tool[] = [currentTime, convertTime, dateDifference, dateAdd, dateInfo];

/** Every tool of the agents' thread. */
export const ALL_TOOLS: readonly Tool[] = [
  ...MATHS_TOOLS,
  ...DATE_TOOLS,
  ...TEXT_TOOLS,
  ...DATA_TOOLS,
  ...ENCODING_TOOLS,
  ...NOTE_TOOLS,
  searchMessages,
];
