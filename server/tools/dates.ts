import { convertTime } from './dates/convert-time.ts';
import { currentTime } from './dates/current-time.ts';
import { dateAdd } from './dates/date-add.ts';
import { dateDifference } from './dates/date-difference.ts';
import { dateInfo } from './dates/date-info.ts';

/** Dates, times and zones. */
export const DATE_TOOLS = [currentTime, convertTime, dateDifference, dateAdd, dateInfo];
