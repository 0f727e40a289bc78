import { describe, expect, it } from 'vitest';
import { convertUnits } from '../../../../server/tools/maths/convert-units.ts';
import { DIMENSIONS } from '../../../../server/tools/maths/unit-table.ts';
import { findUnits } from '../../../../server/tools/maths/unit-names.ts';
import { ToolError } from '../../../../server/tools/tool.ts';
import { toolContext } from '../../../support/figure-tools.ts';

const run = async (quantity: string, to: string, zone?: string) =>
  convertUnits.run({ quantity, to }, toolContext(zone));
const reported = async (quantity: string, to: string, zone?: string) => {
  const result = await run(quantity, to, zone);
  return `${result.exact ? '=' : '≈'} ${result.to.map(({ value, unit }) => `${value} ${unit}`).join(' ')}`;
};

describe('convert_units', () => {
  it.each([
    ['1 mile', 'km', '= 1.609344 kilometres'],
    ['10 km', 'miles', '≈ 6.21371 miles'],
    ['5\'11"', 'cm', '= 180.34 centimetres'],
    ['5 ft 11 in', 'cm', '= 180.34 centimetres'],
    ['180 cm', 'feet and inches', '≈ 5 feet 10.87 inches'],
    ['2 km', 'metres, feet and miles', '≈ 2000 metres 6561.68 feet 1.24274 miles'],
    ['30 c', 'f and k', '= 86 °F 303.15 K'],
    ['100000 s', 'days, hours and minutes', '≈ 1 day 3 hours 46.67 minutes'],
    ['71.999 in', 'ft in', '≈ 6 feet 0 inches'],
    ['-40 c', 'f', '= -40 °F'],
    ['98.6 F', 'C', '= 37 °C'],
    ['0 K', 'c', '= -273.15 °C'],
    ['1 GB', 'MiB', '≈ 953.674 MiB'],
    ['1 GiB', 'MiB', '= 1024 MiB'],
    ['1 kB', 'bytes', '= 1000 bytes'],
    ['500 Mb', 'MB', '= 62.5 MB'],
    ['100 Mbps', 'MB/s', '= 12.5 MB/s'],
    ['100 mbps', 'MB/s', '= 12.5 MB/s'],
    ['10 MBps', 'MB/s', '= 10 MB/s'],
    ['1 GBps', 'Gbps', '= 8 Gbit/s'],
    ['8 Bps', 'bps', '= 64 bits per second'],
    ['6 L/100 km', 'mpg', '≈ 39.2024 US mpg'],
    ['1 1/2 cups', 'ml', '≈ 354.882 millilitres'],
    ['½ mile', 'm', '= 804.672 metres'],
    ['3 oz', 'g', '≈ 85.0486 grams'],
    ['8 oz', 'ml', '= 236.5882365 millilitres'],
    ['1 acre', 'm²', '≈ 4046.86 square metres'],
    ['180 degrees', 'rad', '≈ 3.14159 radians'],
    ['1 atm', 'psi', '≈ 14.6959 psi'],
    ['100 kcal', 'kJ', '= 418.4 kilojoules'],
    ['60 mph', 'km/h', '= 96.56064 km/h'],
    ['90 min', 'hours and minutes', '= 1 hour 30 minutes'],
    ['1e-9 m', 'nm', '= 1 nanometre'],
  ])('converts %s to %s: %s', async (quantity, to, expected) => {
    expect(await reported(quantity, to)).toBe(expected);
  });

  it('takes pints and gallons as imperial where people use those, and says which', async () => {
    expect(await reported('1 gallon', 'litres')).toBe('= 3.785411784 litres');
    expect(await reported('1 gallon', 'litres', 'Europe/London')).toBe('= 4.54609 litres');
    expect((await run('1 pint', 'ml', 'Europe/London')).from[0]?.unit).toBe('imperial pint');
    expect(await reported('1 US gallon', 'litres', 'Europe/London')).toBe('= 3.785411784 litres');
  });

  it('says how long a year is taken to be', async () => {
    expect(await run('1 year', 'days')).toMatchObject({
      to: [{ value: '365.2425', unit: 'days' }],
      note: expect.stringContaining('365.2425') as string,
    });
  });

  it.each([
    ['10 km', 'kg', 'length'],
    ['10 wibbles', 'm', '"wibbles"'],
    ['10', 'm', 'Which unit'],
    ['lots of km', 'm', "can't find a number"],
    ['-500 c', 'f', 'absolute zero'],
    ['£50', 'dollars', 'no network'],
    ['20 pounds', 'euros', 'no network'],
    ['0 mpg', 'l/100km', 'zero'],
  ])('refuses %s to %s in words', (quantity, to, words) => {
    expect(() => convertUnits.run({ quantity, to }, toolContext())).toThrow(ToolError);
    expect(() => convertUnits.run({ quantity, to }, toolContext())).toThrow(words);
  });

  it('finds every unit by its own name and comes back to it unchanged', async () => {
    for (const { name, units } of DIMENSIONS) {
      const [base] = units;
      for (const unit of units) {
        expect(findUnits(unit.singular).map(({ unit: found }) => found)).toContain(unit);
        const there = await run(`1000 ${unit.singular}`, base?.singular ?? '');
        expect(there.dimension).toBe(name);
        const same = await run(`7 ${unit.plural}`, unit.plural);
        expect(same).toMatchObject({ exact: true, to: [{ value: '7' }] });
      }
    }
  });
});
