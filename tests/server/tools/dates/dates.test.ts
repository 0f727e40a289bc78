import { describe, expect, it } from 'vitest';
import { easterSunday } from '../../../../server/tools/dates/holidays.ts';
import { readDate } from '../../../../server/tools/dates/read-date.ts';
import { addWorkingDays, countWorkingDays } from '../../../../server/tools/dates/working-days.ts';
import { DateTime } from 'luxon';
import { runTool } from '../../../support/figure-tools.ts';

const difference = (input: Record<string, unknown>) => runTool('date_difference', input);
const info = (date: string, zone?: string) => runTool('date_info', { date }, zone);
const convert = (input: Record<string, unknown>, zone?: string) => runTool('convert_time', input, zone);

describe('reading dates', () => {
  it.each([
    ['3 March', '2027-03-03'],
    ['March 3rd', '2027-03-03'],
    ['the 3rd of March 2028', '2028-03-03'],
    ['20 November', '2026-11-20'],
    ['2027-03-03', '2027-03-03'],
    ['14.07.2027', '2027-07-14'],
    ['July 14, 2027', '2027-07-14'],
    ['Dec 25', '2026-12-25'],
    ['tomorrow', '2026-11-21'],
    ['the day after tomorrow', '2026-11-22'],
    ['first Monday in January 2027', '2027-01-04'],
    ['the last Friday of next month', '2026-12-25'],
    ['2nd tuesday of march', '2027-03-09'],
    ['day before yesterday', '2026-11-18'],
    ['Friday', '2026-11-20'],
    ['next Friday', '2026-11-27'],
    ['last Monday', '2026-11-16'],
    ['Monday week', '2026-11-30'],
    ['the 5th', '2026-12-05'],
    ['the 31st', '2026-12-31'],
    ['in 3 weeks', '2026-12-11'],
    ['end of the year', '2026-12-31'],
    ['29 February', '2028-02-29'],
    ['2028', '2028-01-01'],
    ['Easter', '2027-03-28'],
    ['Good Friday 2028', '2028-04-14'],
    ["New Year's Day", '2027-01-01'],
    ['Thanksgiving', '2026-11-26'],
    ['Christmas next year', '2027-12-25'],
  ])('reads %s', async (words, date) => {
    expect(await info(words)).toMatchObject({ day: { date } });
  });

  it.each(['Europe/Paris', 'America/New_York'])('29 February is today on that day in %s', (timeZone) => {
    const where = { now: new Date('2028-02-29T12:00:00Z'), timeZone };
    for (const direction of ['next', 'last'] as const)
      expect(readDate('29 February', where, direction).at.toISODate()).toBe('2028-02-29');
  });

  it('reads 03/04/2027 as the person writes dates', async () => {
    expect(await info('03/04/2027', 'Europe/Paris')).toMatchObject({ day: { date: '2027-04-03' } });
    expect(await info('03/04/2027', 'America/New_York')).toMatchObject({ day: { date: '2027-03-04' } });
  });

  it('knows what day it is where the person is', async () => {
    expect(await runTool('date_info', {}, 'Pacific/Kiritimati')).toMatchObject({
      day: { date: '2026-11-21' },
    });
    expect(await runTool('date_info', {}, 'Pacific/Pago_Pago')).toMatchObject({
      day: { date: '2026-11-19' },
    });
  });

  it('a moment that names its zone is that moment', async () => {
    expect(await info('2026-12-01 00:30 UTC', 'America/New_York')).toMatchObject({
      day: { date: '2026-11-30', time: '19:30' },
    });
  });

  it.each(['30 February', '31/04/2027', '2027-02-29', 'the end of the world', 'soon', '', ' '])(
    'refuses "%s"',
    async (words) => {
      await expect(info(words || 'x')).rejects.toThrow(/There is no|can't read/);
    },
  );

  it('knows Easter', () => {
    const known = [
      '1954-04-18',
      '1981-04-19',
      '2000-04-23',
      '2008-03-23',
      '2024-03-31',
      '2025-04-20',
      '2027-03-28',
      '2038-04-25',
      '2049-04-18',
      '2076-04-19',
    ];
    expect(known.map((date) => easterSunday(Number(date.slice(0, 4))).toISODate())).toEqual(known);
  });
});

describe('date_difference', () => {
  it('counts days that clocks make shorter or longer as days', async () => {
    expect(await difference({ from: '2027-03-27', to: '2027-03-29' })).toMatchObject({ days: 2 });
    expect(await difference({ from: '2026-10-24', to: '2026-10-26' })).toMatchObject({ days: 2 });
  });

  it('counts years, months and days, and working days', async () => {
    expect(await difference({ from: '3 March 1990' })).toMatchObject({
      days: 13_411,
      years: 36,
      months: 8,
      remainingDays: 17,
    });
    expect(await difference({ from: '1 May', to: '24 December' })).toMatchObject({
      days: 237,
      workingDays: 170,
    });
    expect(await difference({ from: '2024-03-01', to: '2024-02-28' })).toMatchObject({ days: -2 });
  });

  it('puts a day without a year where the question means it', async () => {
    expect(await difference({ to: '3 March' })).toMatchObject({ days: 103 });
    expect(await difference({ from: '3 March' })).toMatchObject({ from: { date: '2026-03-03' } });
    expect(await difference({ from: 'November 1', to: 'March 1' })).toMatchObject({
      to: { date: '2027-03-01' },
      days: 120,
    });
    expect(await difference({ from: '1 November', to: 'Easter' })).toMatchObject({
      to: { date: '2027-03-28' },
    });
    expect(await difference({ from: 'monday', to: 'friday' })).toMatchObject({ days: 4 });
    expect(await difference({ from: '22:00', to: '6:00' })).toMatchObject({ minutes: 480 });
    expect(await difference({ to: '9am' })).toMatchObject({ to: { date: '2026-11-21' }, minutes: 22 * 60 });
  });

  it('counts working days like a calendar on the wall', () => {
    const start = DateTime.utc(2026, 11, 14);
    for (let days = 0; days < 40; days++) {
      let wall = 0;
      for (let step = 1; step <= days; step++) if (start.plus({ days: step }).weekday <= 5) wall++;
      expect(countWorkingDays(start, start.plus({ days }))).toBe(wall);
      const ahead = addWorkingDays(start, days);
      expect(countWorkingDays(start, ahead)).toBe(days);
    }
  });
});

describe('date_add', () => {
  it('adds what calendars add', async () => {
    expect(await runTool('date_add', { days: 90 })).toMatchObject({
      to: { date: '2027-02-18' },
      daysFromToday: 90,
    });
    expect(await runTool('date_add', { date: '31 January 2027', months: 1 })).toMatchObject({
      to: { date: '2027-02-28' },
    });
    expect(await runTool('date_add', { date: 'Christmas', weeks: -2 })).toMatchObject({
      to: { date: '2026-12-11' },
    });
    expect(await runTool('date_add', { workingDays: -1 })).toMatchObject({ to: { date: '2026-11-19' } });
    expect(await runTool('date_add', { hours: 36 })).toMatchObject({
      to: { date: '2026-11-21', time: '23:00' },
    });
  });

  it('stays on the calendar', async () => {
    await expect(runTool('date_add', { years: 1_000_000 })).rejects.toThrow('9999');
    await expect(runTool('date_add', { workingDays: 1_000_000_0 })).rejects.toThrow('does not take');
  });
});

describe('convert_time and current_time', () => {
  it.each([
    ['Paris', 'Tokyo', '18:00'],
    ['New York', 'London', '15:00'],
    ['EST', 'Berlin', '16:00'],
    ['UTC+2', 'UTC', '08:00'],
    ['UTC-3:30', 'UTC', '13:30'],
    ['India', 'Kathmandu', '10:15'],
    ['Europe/Paris', 'Asia/Tokyo', '18:00'],
    ['Zürich', 'sao paulo', '06:00'],
    ['NYC', 'LA', '07:00'],
    ['Canberra', 'Bern', '00:00'],
    ['Japan', 'the Netherlands', '02:00'],
  ])('knows the clocks of %s and %s', async (from, to, time) => {
    expect(await convert({ time: '10:00', from, to })).toMatchObject({ to: { time } });
  });

  it('keeps to daylight saving as it is on the day', async () => {
    expect(await convert({ time: '3pm', from: 'New York', to: 'London', date: '2027-03-20' })).toMatchObject({
      to: { time: '19:00' },
    });
    expect(await convert({ time: '3pm', from: 'New York', to: 'London', date: '2027-04-20' })).toMatchObject({
      to: { time: '20:00' },
    });
    expect(await convert({ time: '3pm', from: 'EST', to: 'London', date: '1 July' })).toMatchObject({
      to: { time: '20:00' },
      note: expect.stringContaining('daylight saving') as string,
    });
  });

  it('says when a clock never shows the time, or shows it twice', async () => {
    const skipped = await convert({ time: '02:30', from: 'Paris', to: 'UTC', date: '28 March 2027' });
    expect(skipped).toMatchObject({
      to: { time: '01:30' },
      note: expect.stringContaining('never show 02:30') as string,
    });
    const twice = await convert({ time: '02:30', from: 'Paris', to: 'UTC', date: '31 October 2027' });
    expect(twice).toMatchObject({ to: { time: '00:30' }, note: expect.stringContaining('twice') as string });
    expect(
      await convert({ time: '03:30', from: 'Paris', to: 'UTC', date: '28 March 2027' }),
    ).not.toHaveProperty('note');
  });

  it.each([
    ['9.30am', '09:30'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['noon', '12:00'],
    ['half past three', '03:30'],
    ['quarter to 4 pm', '15:45'],
    ["7 o'clock", '07:00'],
    ['1530', '15:30'],
    ['15h30', '15:30'],
  ])('reads the time %s', async (time, expected) => {
    expect(await convert({ time, to: 'Paris' })).toMatchObject({ from: { time: expected } });
  });

  it('asks which clock when a country has several, and refuses what is no place', async () => {
    await expect(runTool('current_time', { place: 'Australia' })).rejects.toThrow('several time zones');
    await expect(runTool('current_time', { place: 'the US' })).rejects.toThrow('several time zones');
    await expect(runTool('current_time', { place: 'Atlantis' })).rejects.toThrow("don't know the time zone");
    await expect(convert({ time: '25:00', to: 'Tokyo' })).rejects.toThrow("can't read");
    expect(await runTool('current_time', { place: 'China' })).toMatchObject({ time: '18:00' });
  });

  it('tells the time where the person is when no place is given', async () => {
    expect(await runTool('current_time', {})).toEqual({
      place: 'Paris',
      date: '2026-11-20',
      weekday: 'Friday',
      time: '11:00',
      offset: 'UTC+1',
    });
    expect(await runTool('current_time', {}, 'Not/AZone')).toMatchObject({ place: 'UTC', time: '10:00' });
  });
});

describe('date_info', () => {
  it('knows weeks, leap years and days of the year', async () => {
    expect(await info('2026-12-31')).toMatchObject({ week: 53, weekYear: 2026, dayOfYear: 365, quarter: 4 });
    expect(await info('1 January 2027')).toMatchObject({ week: 53, weekYear: 2026, leapYear: false });
    expect(await info('2028')).toMatchObject({ leapYear: true, daysInYear: 366 });
    expect(await info('1 February 2028')).toMatchObject({ daysInMonth: 29 });
  });
});
