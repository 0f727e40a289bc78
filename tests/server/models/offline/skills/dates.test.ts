import { describe, expect, it } from 'vitest';
import { converse, recognise } from '../../../../support/skills.ts';

/** Phrase, tool, its input, and what is told of the result. */
const PHRASES: [string, string, Record<string, unknown>, string][] = [
  [
    'time difference between London and Tokyo',
    'convert_time',
    { time: '12:00', from: 'London', to: 'Tokyo' },
    'Tokyo (UTC+9) is **9 hours ahead of** London (UTC) on 20 November 2026.',
  ],
  [
    "how many hours behind is St. John's of London",
    'convert_time',
    { time: '12:00', from: 'London', to: "St. John's" },
    "St. John's (UTC−3:30) is **3 hours and 30 minutes behind** London (UTC) on 20 November 2026.",
  ],
  [
    'what day will Christmas be in 2030',
    'date_info',
    { date: 'Christmas in 2030' },
    'Christmas in 2030: **Wednesday, 25 December 2030** — 1,496 days from today.',
  ],
  [
    'how many days are left in the year',
    'date_difference',
    { to: 'end of the year', unit: 'days' },
    '**41 days** (1 month and 11 days) until Thursday, 31 December 2026.',
  ],
  [
    'how many months until July',
    'date_difference',
    { to: 'July', unit: 'months' },
    '**7 months and 11 days** (223 days) until Thursday, 1 July 2027.',
  ],
  ['what month is it', 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  [
    'days until 3 March',
    'date_difference',
    { to: '3 March', unit: 'days' },
    '**103 days** (3 months and 11 days) until Wednesday, 3 March 2027.',
  ],
  [
    'how many days until 3 March?',
    'date_difference',
    { to: '3 March', unit: 'days' },
    '**103 days** (3 months and 11 days) until Wednesday, 3 March 2027.',
  ],
  [
    'How many days are there until Christmas?',
    'date_difference',
    { to: 'Christmas', unit: 'days' },
    '**35 days** (1 month and 5 days) until Friday, 25 December 2026.',
  ],
  [
    'how long until 3 March 2027',
    'date_difference',
    { to: '3 March 2027' },
    '**103 days** (3 months and 11 days) until Wednesday, 3 March 2027.',
  ],
  [
    'how many weeks until Easter',
    'date_difference',
    { to: 'Easter', unit: 'weeks' },
    '**18 weeks and 2 days** (128 days) until Sunday, 28 March 2027.',
  ],
  [
    'how many working days until next Friday',
    'date_difference',
    { to: 'next Friday', unit: 'working days' },
    '**5 working days** (Monday to Friday; public holidays are not taken off) until Friday, 27 November 2026.',
  ],
  [
    'working days between 1 May and 24 December',
    'date_difference',
    { from: '1 May', to: '24 December', unit: 'working days' },
    '**169 working days** (Monday to Friday; public holidays are not taken off) from Friday, 1 May 2026 to Thursday, 24 December 2026.',
  ],
  [
    'how many days between 1 May and 24 December',
    'date_difference',
    { from: '1 May', to: '24 December', unit: 'days' },
    '**237 days** (7 months and 23 days) from Friday, 1 May 2026 to Thursday, 24 December 2026.',
  ],
  [
    'how many days are there between 1 May 2026 and 24 December 2026?',
    'date_difference',
    { from: '1 May 2026', to: '24 December 2026', unit: 'days' },
    '**237 days** (7 months and 23 days) from Friday, 1 May 2026 to Thursday, 24 December 2026.',
  ],
  [
    'days from 1 May to 24 December',
    'date_difference',
    { from: '1 May', to: '24 December', unit: 'days' },
    '**237 days** (7 months and 23 days) from Friday, 1 May 2026 to Thursday, 24 December 2026.',
  ],
  [
    'how many days since 1 January',
    'date_difference',
    { from: '1 January', unit: 'days' },
    '**323 days** (10 months and 19 days) since Thursday, 1 January 2026.',
  ],
  [
    'how long ago was 3 March 1990',
    'date_difference',
    { from: '3 March 1990' },
    '**13,411 days** (36 years, 8 months and 17 days) since Saturday, 3 March 1990.',
  ],
  [
    'how long since Christmas',
    'date_difference',
    { from: 'Christmas' },
    '**330 days** (10 months and 26 days) since Thursday, 25 December 2025.',
  ],
  [
    'how many months between March 2026 and June 2027',
    'date_difference',
    { from: 'March 2026', to: 'June 2027', unit: 'months' },
    '**15 months** (457 days) from Sunday, 1 March 2026 to Tuesday, 1 June 2027.',
  ],
  [
    'difference between 2024-02-28 and 2024-03-01',
    'date_difference',
    { from: '2024-02-28', to: '2024-03-01' },
    '**2 days** from Wednesday, 28 February 2024 to Friday, 1 March 2024.',
  ],
  [
    'what day is 14 July 2027',
    'date_info',
    { date: '14 July 2027' },
    '**Wednesday, 14 July 2027** — 236 days from today.',
  ],
  [
    'what day of the week is 14 July 2027?',
    'date_info',
    { date: '14 July 2027' },
    '**Wednesday, 14 July 2027** — 236 days from today.',
  ],
  [
    'what day was 3 March 1990',
    'date_info',
    { date: '3 March 1990', past: true },
    '**Saturday, 3 March 1990** — 13,411 days ago.',
  ],
  [
    'which day is Christmas',
    'date_info',
    { date: 'Christmas' },
    'Christmas: **Friday, 25 December 2026** — 35 days from today.',
  ],
  ['what day is it', 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  ['what day is it today?', 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  ["what's today's date", 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  ["what's the date", 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  ['what is the date today?', 'date_info', {}, 'Today is **Friday, 20 November 2026**.'],
  [
    '10:00 Paris in Tokyo',
    'convert_time',
    { time: '10:00', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    '10:00 in Paris in Tokyo',
    'convert_time',
    { time: '10:00', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    'what is 10:00 Paris time in Tokyo?',
    'convert_time',
    { time: '10:00', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    'what time is 10:00 Paris in Tokyo',
    'convert_time',
    { time: '10:00', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    "when it's 10am in Paris, what time is it in Tokyo?",
    'convert_time',
    { time: '10am', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    "what time is it in Tokyo when it's 10:00 in Paris?",
    'convert_time',
    { time: '10:00', from: 'Paris', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    "if it's 9am in New York what time is it in London",
    'convert_time',
    { time: '9am', from: 'New York', to: 'London' },
    '09:00 in New York (UTC−5) is **14:00** in London (UTC).',
  ],
  [
    'convert 3pm EST to CET',
    'convert_time',
    { time: '3pm', from: 'EST', to: 'CET' },
    '15:00 EST (UTC−5) is **21:00** CET (UTC+1).',
  ],
  [
    '3pm EST in London tomorrow',
    'convert_time',
    { time: '3pm', from: 'EST', to: 'London', date: 'tomorrow' },
    '15:00 EST (UTC−5) on Saturday, 21 November 2026, is **20:00** in London (UTC).',
  ],
  [
    '3pm EST in London',
    'convert_time',
    { time: '3pm', from: 'EST', to: 'London' },
    '15:00 EST (UTC−5) is **20:00** in London (UTC).',
  ],
  [
    '3pm tomorrow EST in London',
    'convert_time',
    { time: '3pm', from: 'EST', to: 'London', date: 'tomorrow' },
    '15:00 EST (UTC−5) on Saturday, 21 November 2026, is **20:00** in London (UTC).',
  ],
  [
    '3pm in New York to Berlin on 1 July',
    'convert_time',
    { time: '3pm', from: 'New York', to: 'Berlin', date: '1 July' },
    '15:00 in New York (UTC−4) on Thursday, 1 July 2027, is **21:00** in Berlin (UTC+2).',
  ],
  [
    'noon UTC in Sydney',
    'convert_time',
    { time: 'noon', from: 'UTC', to: 'Sydney' },
    '12:00 UTC is **23:00** in Sydney (UTC+11).',
  ],
  [
    '10:00 here in Tokyo',
    'convert_time',
    { time: '10:00', to: 'Tokyo' },
    '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).',
  ],
  [
    '3pm Tokyo time in my time',
    'convert_time',
    { time: '3pm', from: 'Tokyo' },
    '15:00 in Tokyo (UTC+9) is **07:00** in Paris (UTC+1).',
  ],
  [
    'what time is 3pm Tokyo time here?',
    'convert_time',
    { time: '3pm', from: 'Tokyo' },
    '15:00 in Tokyo (UTC+9) is **07:00** in Paris (UTC+1).',
  ],
  [
    'what time is it in New York',
    'current_time',
    { place: 'New York' },
    'It is **05:00** in New York (UTC−5) on Friday, 20 November 2026.',
  ],
  [
    'what time is it in New York?',
    'current_time',
    { place: 'New York' },
    'It is **05:00** in New York (UTC−5) on Friday, 20 November 2026.',
  ],
  [
    "what's the time in Tokyo right now",
    'current_time',
    { place: 'Tokyo' },
    'It is **19:00** in Tokyo (UTC+9) on Friday, 20 November 2026.',
  ],
  [
    'time in London',
    'current_time',
    { place: 'London' },
    'It is **10:00** in London (UTC) on Friday, 20 November 2026.',
  ],
  [
    'current time in Sydney',
    'current_time',
    { place: 'Sydney' },
    'It is **21:00** in Sydney (UTC+11) on Friday, 20 November 2026.',
  ],
  ['what time is it', 'current_time', {}, 'It is **11:00** in Paris (UTC+1) on Friday, 20 November 2026.'],
  [
    'what time is it now?',
    'current_time',
    {},
    'It is **11:00** in Paris (UTC+1) on Friday, 20 November 2026.',
  ],
  ["what's the time", 'current_time', {}, 'It is **11:00** in Paris (UTC+1) on Friday, 20 November 2026.'],
  [
    'Tokyo time',
    'current_time',
    { place: 'Tokyo' },
    'It is **19:00** in Tokyo (UTC+9) on Friday, 20 November 2026.',
  ],
  [
    'what time is it in Atlantis',
    'current_time',
    { place: 'Atlantis' },
    '(refused) I don\'t know the time zone of "Atlantis"; try its largest city, or an offset such as UTC+2.',
  ],
  [
    'what time is it in the US',
    'current_time',
    { place: 'US' },
    '(refused) United States has several time zones: name a city, such as New York, Chicago or Los Angeles.',
  ],
  [
    "what's the date in Tokyo",
    'current_time',
    { place: 'Tokyo' },
    'It is **19:00** in Tokyo (UTC+9) on Friday, 20 November 2026.',
  ],
  [
    "what's the date 90 days from today",
    'date_add',
    { days: 90 },
    '**Thursday, 18 February 2027** — 90 days from today.',
  ],
  [
    'what is the date 90 days from now?',
    'date_add',
    { days: 90 },
    '**Thursday, 18 February 2027** — 90 days from today.',
  ],
  [
    'what date is 3 weeks after 5 May',
    'date_add',
    { date: '5 May', weeks: 3 },
    '**Wednesday, 26 May 2027** — 187 days from today.',
  ],
  [
    '3 weeks after 5 May',
    'date_add',
    { date: '5 May', weeks: 3 },
    '**Wednesday, 26 May 2027** — 187 days from today.',
  ],
  ['90 days from today', 'date_add', { days: 90 }, '**Thursday, 18 February 2027** — 90 days from today.'],
  [
    'what date will it be in 90 days',
    'date_add',
    { days: 90 },
    '**Thursday, 18 February 2027** — 90 days from today.',
  ],
  [
    'what day will it be in 3 weeks?',
    'date_add',
    { weeks: 3 },
    '**Friday, 11 December 2026** — 21 days from today.',
  ],
  ['90 days ago', 'date_add', { days: -90 }, '**Saturday, 22 August 2026** — 90 days ago.'],
  ['what was the date 90 days ago', 'date_add', { days: -90 }, '**Saturday, 22 August 2026** — 90 days ago.'],
  [
    '10 working days from today',
    'date_add',
    { workingDays: 10 },
    '**Friday, 4 December 2026** — 14 days from today.',
  ],
  [
    '2 weeks before Christmas',
    'date_add',
    { date: 'Christmas', weeks: -2 },
    '**Friday, 11 December 2026** — 21 days from today.',
  ],
  [
    'add 3 weeks to 5 May',
    'date_add',
    { date: '5 May', weeks: 3 },
    '**Wednesday, 26 May 2027** — 187 days from today.',
  ],
  [
    '5 May plus 3 weeks',
    'date_add',
    { date: '5 May', weeks: 3 },
    '**Wednesday, 26 May 2027** — 187 days from today.',
  ],
  ['today + 90 days', 'date_add', { days: 90 }, '**Thursday, 18 February 2027** — 90 days from today.'],
  [
    "what is tomorrow's date",
    'date_info',
    { date: 'tomorrow' },
    '**Saturday, 21 November 2026** — tomorrow.',
  ],
  [
    'a week from Friday',
    'date_add',
    { date: 'Friday', weeks: 1 },
    '**Friday, 27 November 2026** — 7 days from today.',
  ],
  [
    '1 year and 2 months from 3 March 2027',
    'date_add',
    { date: '3 March 2027', years: 1, months: 2 },
    '**Wednesday, 3 May 2028** — 530 days from today.',
  ],
  [
    '2 hours before 17:00',
    'date_add',
    { date: '17:00', hours: -2 },
    '**Friday, 20 November 2026 at 15:00** — today.',
  ],
  [
    'how old is someone born on 3 March 1990',
    'date_difference',
    { from: '3 March 1990', unit: 'years' },
    'Born on Saturday, 3 March 1990: **36 years** old (36 years, 8 months and 17 days).',
  ],
  [
    'I was born on 3 March 1990, how old am I?',
    'date_difference',
    { from: '3 March 1990', unit: 'years' },
    'Born on Saturday, 3 March 1990: **36 years** old (36 years, 8 months and 17 days).',
  ],
  [
    'how old am I if I was born on 1990-03-03',
    'date_difference',
    { from: '1990-03-03', unit: 'years' },
    'Born on Saturday, 3 March 1990: **36 years** old (36 years, 8 months and 17 days).',
  ],
  [
    'how old is a person born in 1990?',
    'date_difference',
    { from: '1990', unit: 'years' },
    'Born on Monday, 1 January 1990: **36 years** old (36 years, 10 months and 19 days).',
  ],
  ['week number', 'date_info', {}, 'Friday, 20 November 2026 is in **week 47** (ISO 8601).'],
  ['what week number is it?', 'date_info', {}, 'Friday, 20 November 2026 is in **week 47** (ISO 8601).'],
  ['what week is it', 'date_info', {}, 'Friday, 20 November 2026 is in **week 47** (ISO 8601).'],
  [
    'what is the week number of 3 March 2027',
    'date_info',
    { date: '3 March 2027' },
    'Wednesday, 3 March 2027 is in **week 9** (ISO 8601).',
  ],
  [
    'iso week of 2026-12-31',
    'date_info',
    { date: '2026-12-31' },
    'Thursday, 31 December 2026 is in **week 53** (ISO 8601).',
  ],
  [
    'when is Easter',
    'date_info',
    { date: 'Easter' },
    'Easter: **Sunday, 28 March 2027** — 128 days from today.',
  ],
  [
    'when is Easter 2028?',
    'date_info',
    { date: 'Easter 2028' },
    'Easter 2028: **Sunday, 16 April 2028** — 513 days from today.',
  ],
  [
    'when is Thanksgiving',
    'date_info',
    { date: 'Thanksgiving' },
    'Thanksgiving: **Thursday, 26 November 2026** — 6 days from today.',
  ],
  [
    'when was Easter 2024',
    'date_info',
    { date: 'Easter 2024', past: true },
    'Easter 2024: **Sunday, 31 March 2024** — 964 days ago.',
  ],
  ['is 2028 a leap year?', 'date_info', { date: '2028' }, '2028 is a leap year: it has **366 days**.'],
  ['is this year a leap year', 'date_info', {}, '2026 is not a leap year: it has **365 days**.'],
  ['how many days in February', 'date_info', { date: '1 February' }, 'February 2027 has **28 days**.'],
  [
    'how many days are there in February 2028?',
    'date_info',
    { date: '1 February 2028' },
    'February 2028 has **29 days**.',
  ],
  ['how many days in 2028', 'date_info', { date: '2028' }, '2028 has **366 days**.'],
  ['what day of the year is it', 'date_info', {}, 'Friday, 20 November 2026 is **day 324** of 365.'],
  ['what quarter is it', 'date_info', {}, 'Friday, 20 November 2026 is in **quarter 4**.'],
  [
    'how long until 5pm',
    'date_difference',
    { to: '5pm' },
    '**6 hours** until Friday, 20 November 2026 at 17:00.',
  ],
  [
    'how many hours until Friday 9am',
    'date_difference',
    { to: 'Friday 9am', unit: 'hours' },
    '**166 hours** until Friday, 27 November 2026 at 09:00.',
  ],
  [
    'how many minutes between 9:15 and 11:40',
    'date_difference',
    { from: '9:15', to: '11:40', unit: 'minutes' },
    '**145 minutes** from 09:15 to 11:40.',
  ],
  [
    'how many hours from 9:15 to 17:40',
    'date_difference',
    { from: '9:15', to: '17:40', unit: 'hours' },
    '**8 hours and 25 minutes** from 09:15 to 17:40.',
  ],
  [
    'what date is next Friday',
    'date_info',
    { date: 'next Friday' },
    '**Friday, 27 November 2026** — 7 days from today.',
  ],
  [
    'when is the day after tomorrow',
    'date_info',
    { date: 'the day after tomorrow' },
    '**Sunday, 22 November 2026** — 2 days from today.',
  ],
  [
    'days until 30 February',
    'date_difference',
    { to: '30 February', unit: 'days' },
    '(refused) There is no 30 February.',
  ],
  [
    'days until 29 February',
    'date_difference',
    { to: '29 February', unit: 'days' },
    '**466 days** (1 year, 3 months and 9 days) until Tuesday, 29 February 2028.',
  ],
  ['what day is 4 July', 'date_info', { date: '4 July' }, '**Sunday, 4 July 2027** — 226 days from today.'],
  [
    'how many sleeps until christmas',
    'date_difference',
    { to: 'christmas', unit: 'days' },
    '**35 days** (1 month and 5 days) until Friday, 25 December 2026.',
  ],
  [
    'how far away is Christmas?',
    'date_difference',
    { to: 'Christmas' },
    '**35 days** (1 month and 5 days) until Friday, 25 December 2026.',
  ],
  ['2 weeks ago', 'date_add', { weeks: -2 }, '**Friday, 6 November 2026** — 14 days ago.'],
];

/** Conversations: each phrase with its answer. */
const CONVERSATIONS: [string, string][][] = [
  [
    ['is 2028 a leap year?', '2028 is a leap year: it has **366 days**.'],
    ['and 2030?', '2030 is not a leap year: it has **365 days**.'],
  ],
  [
    ['days until 3 March', '**103 days** (3 months and 11 days) until Wednesday, 3 March 2027.'],
    ['and 4 April?', '**135 days** (4 months and 15 days) until Sunday, 4 April 2027.'],
    ['in weeks?', '**19 weeks and 2 days** (135 days) until Sunday, 4 April 2027.'],
    [
      'and in working days?',
      '**95 working days** (Monday to Friday; public holidays are not taken off) until Sunday, 4 April 2027.',
    ],
    ['times 24', '135 × 24 = **3,240**'],
  ],
  [
    ['10:00 Paris in Tokyo', '10:00 in Paris (UTC+1) is **18:00** in Tokyo (UTC+9).'],
    ['what about New York?', '10:00 in Paris (UTC+1) is **04:00** in New York (UTC−5).'],
    ['and 11:00?', '11:00 in Paris (UTC+1) is **05:00** in New York (UTC−5).'],
    [
      'and tomorrow',
      '11:00 in Paris (UTC+1) on Saturday, 21 November 2026, is **05:00** in New York (UTC−5).',
    ],
  ],
  [
    ['what time is it in New York', 'It is **05:00** in New York (UTC−5) on Friday, 20 November 2026.'],
    ['what about Tokyo?', 'It is **19:00** in Tokyo (UTC+9) on Friday, 20 November 2026.'],
    ['and in London?', 'It is **10:00** in London (UTC) on Friday, 20 November 2026.'],
  ],
  [
    ['what day is 14 July 2027', '**Wednesday, 14 July 2027** — 236 days from today.'],
    ['and 15 July 2028?', '**Saturday, 15 July 2028** — 603 days from today.'],
  ],
  [
    ['90 days from today', '**Thursday, 18 February 2027** — 90 days from today.'],
    ['and 120 days?', '**Saturday, 20 March 2027** — 120 days from today.'],
  ],
];

describe('the dates skill', () => {
  it.each(PHRASES)('understands "%s"', async (phrase, tool, input, answer) => {
    const found = recognise(phrase);
    expect(found?.skill.name).toBe('dates');
    expect(found?.intent).toMatchObject({ tool, input });
    expect(Object.keys(found?.intent.input ?? {})).toEqual(Object.keys(input));
    expect(found?.intent.confidence).toBeGreaterThanOrEqual(0.5);
    expect(await converse(phrase)).toEqual([answer]);
  });

  it.each(CONVERSATIONS.map((exchanges) => ({ first: exchanges[0]?.[0] ?? '', exchanges })))(
    'keeps to the conversation after "$first"',
    async ({ exchanges }) => {
      expect(await converse(...exchanges.map(([phrase]) => phrase))).toEqual(
        exchanges.map(([, answer]) => answer),
      );
    },
  );
});
