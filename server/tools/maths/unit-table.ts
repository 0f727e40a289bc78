/**
 * Units by their definitions.
 * Factors are exact decimals or fractions, times the dimension's base unit; `π` marks the one family that is not rational.
 */

export interface Unit {
  /** Name after one and after several: "foot", "feet". */
  singular: string;
  plural: string;
  /** How many base units one is; absent for units in `special`. */
  factor: string;
  /** Base units at the unit's zero: temperatures. */
  offset?: string;
  /** The base is this number divided by the value: litres per 100 km. */
  inverse?: boolean;
  /** The factor is also times π. */
  timesPi?: boolean;
  /** An average, such as the length of a month. */
  average?: boolean;
  /** Other spellings. Those with a capital are read as they stand, the rest in any case. */
  aliases: string[];
  /** Which of two units of that name is meant where British measures are used. */
  british?: string;
}

export interface Dimension {
  name: string;
  units: Unit[];
}

type Extra = Partial<Omit<Unit, 'singular' | 'plural' | 'factor' | 'aliases'>>;

function unit(names: string, factor: string, aliases: string, extra: Extra = {}): Unit {
  const [singular = '', plural = `${singular}s`] = names.split('|');
  return { singular, plural, factor, aliases: aliases === '' ? [] : aliases.split(','), ...extra };
}

const LENGTH = [
  unit('metre', '1', 'm,meter,meters'),
  unit('kilometre', '1000', 'km,kms,kilometer,kilometers,k'),
  unit('centimetre', '1/100', 'cm,cms,centimeter,centimeters'),
  unit('millimetre', '1/1000', 'mm,millimeter,millimeters'),
  unit('micrometre', '1/1000000', 'um,µm,μm,micron,microns,micrometer,micrometers'),
  unit('nanometre', '1/1000000000', 'nm,nanometer,nanometers'),
  unit('inch|inches', '0.0254', 'in,ins,",″,”'),
  unit('foot|feet', '0.3048', "ft,',′,’"),
  unit('yard', '0.9144', 'yd,yds'),
  unit('mile', '1609.344', 'mi,statute mile,statute miles'),
  unit('nautical mile', '1852', 'nmi'),
  unit('furlong', '201.168', ''),
  unit('fathom', '1.8288', ''),
  unit('light year', '9460730472580800', 'ly,lightyear,lightyears,light-year,light-years'),
  unit('astronomical unit', '149597870700', 'au'),
];

const MASS = [
  unit('kilogram', '1', 'kg,kgs,kilo,kilos,kilogramme,kilogrammes'),
  unit('gram', '1/1000', 'g,gm,gramme,grammes'),
  unit('milligram', '1/1000000', 'mg,milligramme,milligrammes'),
  unit('microgram', '1/1000000000', 'ug,µg,μg,mcg'),
  unit('tonne', '1000', 't,metric ton,metric tons,metric tonne,metric tonnes'),
  unit('pound', '0.45359237', 'lb,lbs'),
  unit('ounce', '0.028349523125', 'oz'),
  unit('stone|stone', '6.35029318', 'st,stones'),
  unit('short ton', '907.18474', 'ton,tons,us ton,us tons', { british: 'long ton' }),
  unit('long ton', '1016.0469088', 'imperial ton,imperial tons,uk ton,uk tons'),
  unit('carat', '0.0002', 'ct'),
  unit('troy ounce', '0.0311034768', 'ozt,oz t,troy oz'),
];

const VOLUME = [
  unit('litre', '1', 'l,liter,liters,ltr,ltrs'),
  unit('millilitre', '1/1000', 'ml,mls,milliliter,milliliters,cc'),
  unit('centilitre', '1/100', 'cl,centiliter,centiliters'),
  unit('decilitre', '1/10', 'dl,deciliter,deciliters'),
  unit('cubic metre', '1000', 'm3,m^3,m³,cubic meter,cubic meters,cu m'),
  unit('cubic centimetre', '1/1000', 'cm3,cm^3,cm³,cubic centimeter,cubic centimeters'),
  unit('cubic foot|cubic feet', '28.316846592', 'ft3,ft^3,ft³,cu ft'),
  unit('cubic inch|cubic inches', '0.016387064', 'in3,in^3,in³,cu in'),
  unit('cubic yard', '764.554857984', 'yd3,yd^3,yd³,cu yd'),
  unit('US gallon', '3.785411784', 'gal,gals,gallon,gallons', { british: 'imperial gallon' }),
  unit('US quart', '0.946352946', 'qt,qts,quart,quarts', { british: 'imperial quart' }),
  unit('US pint', '0.473176473', 'pt,pts,pint,pints', { british: 'imperial pint' }),
  unit('US cup', '0.2365882365', 'c,cup,cups'),
  unit('US fluid ounce', '0.0295735295625', 'fl oz,floz,fluid ounce,fluid ounces,fl. oz,oz', {
    british: 'imperial fluid ounce',
  }),
  unit('US tablespoon', '0.01478676478125', 'tbsp,tbsps,tablespoon,tablespoons', {
    british: 'metric tablespoon',
  }),
  unit('US teaspoon', '0.00492892159375', 'tsp,tsps,teaspoon,teaspoons', { british: 'metric teaspoon' }),
  unit('metric cup', '0.25', ''),
  unit('metric tablespoon', '0.015', 'uk tablespoon,uk tablespoons'),
  unit('metric teaspoon', '0.005', 'uk teaspoon,uk teaspoons'),
  unit('imperial gallon', '4.54609', 'uk gallon,uk gallons,british gallon,british gallons'),
  unit('imperial quart', '1.1365225', 'uk quart,uk quarts'),
  unit('imperial pint', '0.56826125', 'uk pint,uk pints,british pint,british pints'),
  unit('imperial fluid ounce', '0.0284130625', 'uk fl oz,imperial fl oz,uk fluid ounce,uk fluid ounces'),
  unit('oil barrel', '158.987294928', 'bbl,barrel,barrels'),
];

const TEMPERATURE = [
  unit(
    '°C|°C',
    '1',
    'c,celsius,centigrade,degc,degree celsius,degrees celsius,degrees c,degrees centigrade,deg c',
    {
      offset: '273.15',
    },
  ),
  unit('°F|°F', '5/9', 'f,fahrenheit,degf,degree fahrenheit,degrees fahrenheit,degrees f,deg f', {
    offset: '45967/180',
  }),
  unit('K|K', '1', 'k,kelvin,kelvins,degrees kelvin'),
];

const SPEED = [
  unit(
    'metre per second|metres per second',
    '1',
    'm/s,mps,meter per second,meters per second,metres a second',
  ),
  unit(
    'km/h|km/h',
    '5/18',
    'kph,kmh,kmph,kilometre per hour,kilometres per hour,kilometers per hour,kilometers an hour,kilometres an hour,km per hour',
  ),
  unit('mph|mph', '0.44704', 'mile per hour,miles per hour,miles an hour,mi/h'),
  unit('knot', '463/900', 'kn,kt,kts'),
  unit('foot per second|feet per second', '0.3048', 'ft/s,fps'),
];

const AREA = [
  unit('square metre', '1', 'm2,m^2,m²,sqm,sq m,square meter,square meters'),
  unit('square kilometre', '1000000', 'km2,km^2,km²,sq km,square kilometer,square kilometers'),
  unit('square centimetre', '1/10000', 'cm2,cm^2,cm²,sq cm,square centimeter,square centimeters'),
  unit('square millimetre', '1/1000000', 'mm2,mm^2,mm²,sq mm,square millimeter,square millimeters'),
  unit('hectare', '10000', 'ha'),
  unit('acre', '4046.8564224', 'ac'),
  unit('square foot|square feet', '0.09290304', 'ft2,ft^2,ft²,sqft,sq ft,sq. ft'),
  unit('square inch|square inches', '0.00064516', 'in2,in^2,in²,sq in'),
  unit('square yard', '0.83612736', 'yd2,yd^2,yd²,sq yd'),
  unit('square mile', '2589988.110336', 'mi2,mi^2,mi²,sq mi'),
];

const TIME = [
  unit('second', '1', 's,sec,secs'),
  unit('millisecond', '1/1000', 'ms,msec'),
  unit('microsecond', '1/1000000', 'us,µs,μs'),
  unit('nanosecond', '1/1000000000', 'ns'),
  unit('minute', '60', 'min,mins,m'),
  unit('hour', '3600', 'h,hr,hrs'),
  unit('day', '86400', 'd'),
  unit('week', '604800', 'wk,wks'),
  unit('fortnight', '1209600', ''),
  unit('month', '2629746', '', { average: true }),
  unit('year', '31556952', 'yr,yrs,y', { average: true }),
  unit('decade', '315569520', '', { average: true }),
  unit('century|centuries', '3155695200', '', { average: true }),
];

const PREFIXES = ['kilo', 'mega', 'giga', 'tera', 'peta'];

/** Bits and bytes with decimal prefixes (kB = 1000 B) and binary ones (KiB = 1024 B), as the standards have it. */
function dataUnits(suffix: string, perSecond: boolean): Unit[] {
  const tail = perSecond ? '/s' : '';
  const units = [
    unit(`byte${suffix}|bytes${suffix}`, '8', perSecond ? 'B/s' : 'B'),
    unit(`bit${suffix}|bits${suffix}`, '1', perSecond ? 'bps,bit/s,b/s' : 'b'),
  ];
  for (const [index, prefix] of PREFIXES.entries()) {
    const big = prefix.charAt(0).toUpperCase();
    const decimal = `1${'000'.repeat(index + 1)}`;
    const binary = (1024n ** BigInt(index + 1)).toString();
    const low = big.toLowerCase();
    const k = big === 'K' ? 'k' : big;
    const spelt = (name: string): string => (perSecond ? `${name}s per second` : `${name},${name}s`);
    const loose = perSecond
      ? `,${low}b/s`
      : `,${low}b,${prefix}s,${big === 'G' ? 'gig,gigs' : `${low}bytes`}`;
    units.push(
      unit(
        `${k}B${tail}|${k}B${tail}`,
        `${BigInt(decimal) * 8n}`,
        `${spelt(`${prefix}byte`)},${k}B${tail},${big}B${tail}${loose}`,
      ),
      unit(
        `${k}bit${tail}|${k}bit${tail}`,
        decimal,
        `${spelt(`${prefix}bit`)},${k}b${tail},${big}b${tail},${low}bit${tail}${perSecond ? `,${big}bps,${low}bps` : ''}`,
      ),
      unit(
        `${big}iB${tail}|${big}iB${tail}`,
        `${BigInt(binary) * 8n}`,
        `${spelt(`${prefix.slice(0, 2)}bibyte`)},${low}ib${tail}`,
      ),
    );
  }
  return units;
}

const ENERGY = [
  unit('joule', '1', 'J'),
  unit('kilojoule', '1000', 'kj'),
  unit('megajoule', '1000000', 'MJ'),
  unit('calorie (thermochemical)|calories (thermochemical)', '4.184', 'cal,small calorie,small calories'),
  unit('kilocalorie', '4184', 'kcal,kcals,calorie,calories,food calorie,food calories'),
  unit('watt-hour', '3600', 'Wh,watt hour,watt hours'),
  unit('kilowatt-hour', '3600000', 'kwh,kilowatt hour,kilowatt hours'),
  unit('BTU', '1055.05585262', 'btu,british thermal unit,british thermal units'),
  unit('electronvolt', '0.0000000000000000001602176634', 'ev,electron volt,electron volts'),
];

const POWER = [
  unit('watt', '1', 'W'),
  unit('kilowatt', '1000', 'kw'),
  unit('megawatt', '1000000', 'MW'),
  unit('horsepower|horsepower', '745.69987158227022', 'hp,bhp,mechanical horsepower'),
  unit('metric horsepower|metric horsepower', '735.49875', 'ps,cv'),
];

const PRESSURE = [
  unit('pascal', '1', 'Pa'),
  unit('hectopascal', '100', 'hpa,mbar,millibar,millibars'),
  unit('kilopascal', '1000', 'kpa'),
  unit('megapascal', '1000000', 'MPa'),
  unit('bar', '100000', ''),
  unit('psi|psi', '8896443230521/1290320000', 'pound per square inch,pounds per square inch'),
  unit('atmosphere', '101325', 'atm'),
  unit('mmHg|mmHg', '133.322387415', 'millimetres of mercury,millimeters of mercury'),
  unit('torr|torr', '20265/152', ''),
];

const ANGLE = [
  unit('degree', '1/180', 'deg,degs,°', { timesPi: true }),
  unit('radian', '1', 'rad,rads'),
  unit('gradian', '1/200', 'grad,grads,gon', { timesPi: true }),
  unit('arcminute', '1/10800', 'arcmin,minute of arc,minutes of arc', { timesPi: true }),
  unit('arcsecond', '1/648000', 'arcsec,second of arc,seconds of arc', { timesPi: true }),
  unit('turn', '2', 'revolution,revolutions', { timesPi: true }),
];

const FUEL = [
  unit('km per litre|km per litre', '1', 'km/l,kmpl,kilometres per litre,kilometers per liter'),
  unit('L/100 km|L/100 km', '100', 'l/100km,litres per 100 km,liters per 100 km,litres per 100km', {
    inverse: true,
  }),
  unit('US mpg|US mpg', '48000/112903', 'mpg,miles per gallon', { british: 'imperial mpg' }),
  unit('imperial mpg|imperial mpg', '1609344/4546090', 'uk mpg,miles per imperial gallon'),
];

const FORCE = [
  unit('newton', '1', 'N'),
  unit('kilonewton', '1000', 'kn'),
  unit('pound-force|pounds-force', '4.4482216152605', 'lbf'),
];

const FREQUENCY = [
  unit('hertz|hertz', '1', 'hz'),
  unit('kilohertz|kilohertz', '1000', 'khz'),
  unit('megahertz|megahertz', '1000000', 'mhz'),
  unit('gigahertz|gigahertz', '1000000000', 'ghz'),
  unit('rpm|rpm', '1/60', 'revolutions per minute'),
];

export const DIMENSIONS: readonly Dimension[] = [
  { name: 'length', units: LENGTH },
  { name: 'mass', units: MASS },
  { name: 'volume', units: VOLUME },
  { name: 'temperature', units: TEMPERATURE },
  { name: 'speed', units: SPEED },
  { name: 'area', units: AREA },
  { name: 'time', units: TIME },
  { name: 'data', units: dataUnits('', false) },
  { name: 'data rate', units: dataUnits(' per second', true) },
  { name: 'energy', units: ENERGY },
  { name: 'power', units: POWER },
  { name: 'pressure', units: PRESSURE },
  { name: 'angle', units: ANGLE },
  { name: 'fuel economy', units: FUEL },
  { name: 'force', units: FORCE },
  { name: 'frequency', units: FREQUENCY },
];
