/** The units and their definitions, as a table that is read once. */

export interface Unit {
  /** Name after one and after several: "foot", "feet". */
  singular: string;
  plural: string;
  /** How many base units one is. */
  factor: string;
  /** Base units at the unit's zero: temperatures. */
  offset?: string;
  /** The base is the factor divided by the value, as for litres per 100 km. */
  inverse: boolean;
  /** The factor is also times π. */
  timesPi: boolean;
  /** An average, such as the length of a month. */
  average: boolean;
  /** Other spellings. Those with a capital are read as they stand, the rest in any case. */
  aliases: string[];
  /** Which of two units of that name is meant where British measures are used. */
  british?: string;
}

export interface Dimension {
  name: string;
  units: Unit[];
}

/**
 * `singular|plural = factor : other spellings => the British unit of that name`, in base units of the dimension above it.
 * Factors are exact decimals or fractions; one with `π`, which isn't rational, is also times π. `about` marks an average,
 * `/ value` an inverse, and `+` stands before the base units at the unit's zero. The plural has an `s` unless given.
 */
const TABLE = `
# length
metre = 1 : m, meter, meters
kilometre = 1000 : km, kms, kilometer, kilometers, k
centimetre = 1/100 : cm, cms, centimeter, centimeters
millimetre = 1/1000 : mm, millimeter, millimeters
micrometre = 1/1000000 : um, µm, μm, micron, microns, micrometer, micrometers
nanometre = 1/1000000000 : nm, nanometer, nanometers
inch|inches = 0.0254 : in, ins, ", ″, ”
foot|feet = 0.3048 : ft, ', ′, ’
yard = 0.9144 : yd, yds
mile = 1609.344 : mi, statute mile, statute miles
nautical mile = 1852 : nmi
furlong = 201.168
fathom = 1.8288
light year = 9460730472580800 : ly, lightyear, lightyears, light-year, light-years
astronomical unit = 149597870700 : au
# mass
kilogram = 1 : kg, kgs, kilo, kilos, kilogramme, kilogrammes
gram = 1/1000 : g, gm, gramme, grammes
milligram = 1/1000000 : mg, milligramme, milligrammes
microgram = 1/1000000000 : ug, µg, μg, mcg
tonne = 1000 : t, metric ton, metric tons, metric tonne, metric tonnes
pound = 0.45359237 : lb, lbs
ounce = 0.028349523125 : oz
stone|stone = 6.35029318 : st, stones
short ton = 907.18474 : ton, tons, us ton, us tons => long ton
long ton = 1016.0469088 : imperial ton, imperial tons, uk ton, uk tons
carat = 0.0002 : ct
troy ounce = 0.0311034768 : ozt, oz t, troy oz
# volume
litre = 1 : l, liter, liters, ltr, ltrs
millilitre = 1/1000 : ml, mls, milliliter, milliliters, cc
centilitre = 1/100 : cl, centiliter, centiliters
decilitre = 1/10 : dl, deciliter, deciliters
cubic metre = 1000 : m3, m^3, m³, cubic meter, cubic meters, cu m
cubic centimetre = 1/1000 : cm3, cm^3, cm³, cubic centimeter, cubic centimeters
cubic foot|cubic feet = 28.316846592 : ft3, ft^3, ft³, cu ft
cubic inch|cubic inches = 0.016387064 : in3, in^3, in³, cu in
cubic yard = 764.554857984 : yd3, yd^3, yd³, cu yd
US gallon = 3.785411784 : gal, gals, gallon, gallons => imperial gallon
US quart = 0.946352946 : qt, qts, quart, quarts => imperial quart
US pint = 0.473176473 : pt, pts, pint, pints => imperial pint
US cup = 0.2365882365 : c, cup, cups
US fluid ounce = 0.0295735295625 : fl oz, floz, fluid ounce, fluid ounces, fl. oz, oz => imperial fluid ounce
US tablespoon = 0.01478676478125 : tbsp, tbsps, tablespoon, tablespoons => metric tablespoon
US teaspoon = 0.00492892159375 : tsp, tsps, teaspoon, teaspoons => metric teaspoon
metric cup = 0.25
metric tablespoon = 0.015 : uk tablespoon, uk tablespoons
metric teaspoon = 0.005 : uk teaspoon, uk teaspoons
imperial gallon = 4.54609 : uk gallon, uk gallons, british gallon, british gallons
imperial quart = 1.1365225 : uk quart, uk quarts
imperial pint = 0.56826125 : uk pint, uk pints, british pint, british pints
imperial fluid ounce = 0.0284130625 : uk fl oz, imperial fl oz, uk fluid ounce, uk fluid ounces
oil barrel = 158.987294928 : bbl, barrel, barrels
# temperature
°C|°C = 1 + 273.15 : c, celsius, centigrade, degc, degree celsius, degrees celsius, degrees c, degrees centigrade, deg c
°F|°F = 5/9 + 45967/180 : f, fahrenheit, degf, degree fahrenheit, degrees fahrenheit, degrees f, deg f
K|K = 1 : k, kelvin, kelvins, degrees kelvin
# speed
metre per second|metres per second = 1 : m/s, mps, meter per second, meters per second, metres a second
km/h|km/h = 5/18 : kph, kmh, kmph, kilometre per hour, kilometres per hour, kilometers per hour, kilometers an hour, kilometres an hour, km per hour
mph|mph = 0.44704 : mile per hour, miles per hour, miles an hour, mi/h
knot = 463/900 : kn, kt, kts
foot per second|feet per second = 0.3048 : ft/s, fps
# area
square metre = 1 : m2, m^2, m², sqm, sq m, square meter, square meters
square kilometre = 1000000 : km2, km^2, km², sq km, square kilometer, square kilometers
square centimetre = 1/10000 : cm2, cm^2, cm², sq cm, square centimeter, square centimeters
square millimetre = 1/1000000 : mm2, mm^2, mm², sq mm, square millimeter, square millimeters
hectare = 10000 : ha
acre = 4046.8564224 : ac
square foot|square feet = 0.09290304 : ft2, ft^2, ft², sqft, sq ft, sq. ft
square inch|square inches = 0.00064516 : in2, in^2, in², sq in
square yard = 0.83612736 : yd2, yd^2, yd², sq yd
square mile = 2589988.110336 : mi2, mi^2, mi², sq mi
# time
second = 1 : s, sec, secs
millisecond = 1/1000 : ms, msec
microsecond = 1/1000000 : us, µs, μs
nanosecond = 1/1000000000 : ns
minute = 60 : min, mins, m
hour = 3600 : h, hr, hrs
day = 86400 : d
week = 604800 : wk, wks
fortnight = 1209600
month = about 2629746
year = about 31556952 : yr, yrs, y
decade = about 315569520
century|centuries = about 3155695200
# energy
joule = 1 : J
kilojoule = 1000 : kj
megajoule = 1000000 : MJ
calorie (thermochemical)|calories (thermochemical) = 4.184 : cal, small calorie, small calories
kilocalorie = 4184 : kcal, kcals, calorie, calories, food calorie, food calories
watt-hour = 3600 : Wh, watt hour, watt hours
kilowatt-hour = 3600000 : kwh, kilowatt hour, kilowatt hours
BTU = 1055.05585262 : btu, british thermal unit, british thermal units
electronvolt = 0.0000000000000000001602176634 : ev, electron volt, electron volts
# power
watt = 1 : W
kilowatt = 1000 : kw
megawatt = 1000000 : MW
horsepower|horsepower = 745.69987158227022 : hp, bhp, mechanical horsepower
metric horsepower|metric horsepower = 735.49875 : ps, cv
# pressure
pascal = 1 : Pa
hectopascal = 100 : hpa, mbar, millibar, millibars
kilopascal = 1000 : kpa
megapascal = 1000000 : MPa
bar = 100000
psi|psi = 8896443230521/1290320000 : pound per square inch, pounds per square inch
atmosphere = 101325 : atm
mmHg|mmHg = 133.322387415 : millimetres of mercury, millimeters of mercury
torr|torr = 20265/152
# angle
degree = 1/180 π : deg, degs, °
radian = 1 : rad, rads
gradian = 1/200 π : grad, grads, gon
arcminute = 1/10800 π : arcmin, minute of arc, minutes of arc
arcsecond = 1/648000 π : arcsec, second of arc, seconds of arc
turn = 2 π : revolution, revolutions
# fuel economy
km per litre|km per litre = 1 : km/l, kmpl, kilometres per litre, kilometers per liter
L/100 km|L/100 km = 100 / value : litres per 100 km, liters per 100 km
US mpg|US mpg = 48000/112903 : mpg, miles per gallon => imperial mpg
imperial mpg|imperial mpg = 1609344/4546090 : uk mpg, miles per imperial gallon
# force
newton = 1 : N
kilonewton = 1000 : kn
pound-force|pounds-force = 4.4482216152605 : lbf
# frequency
hertz|hertz = 1 : hz
kilohertz|kilohertz = 1000 : khz
megahertz|megahertz = 1000000 : mhz
gigahertz|gigahertz = 1000000000 : ghz
rpm|rpm = 1/60 : revolutions per minute
`;

const LINE =
  /^([^|=]+)(?:\|([^=]+))? = (about )?(\S+)( π)?( \/ value)?(?: \+ (\S+))?(?: : (.+?))?(?: => (.+))?$/;

function unitOf(line: string): Unit {
  const [
    ,
    singular = '',
    plural = `${singular}s`,
    about,
    factor = '',
    pi,
    inverse,
    offset,
    aliases,
    british,
  ] = LINE.exec(line) ?? [];
  return {
    singular,
    plural,
    factor,
    aliases: aliases?.split(', ') ?? [],
    inverse: inverse !== undefined,
    timesPi: pi !== undefined,
    average: about !== undefined,
    ...(offset !== undefined && { offset }),
    ...(british !== undefined && { british }),
  };
}

const PREFIXES = ['kilo', 'mega', 'giga', 'tera', 'peta'];

/** Bits and bytes with decimal prefixes (kB = 1000 B) and binary ones (KiB = 1024 B), as the standards have it. */
function dataUnits(isRate: boolean): Unit[] {
  const [suffix, tail] = isRate ? [' per second', '/s'] : ['', ''];
  const lines = [
    `byte${suffix}|bytes${suffix} = 8 : B${tail}${isRate ? ', Bps' : ''}`,
    `bit${suffix}|bits${suffix} = 1 : ${isRate ? 'bps, bit/s, b/s' : 'b'}`,
  ];
  for (const [index, prefix] of PREFIXES.entries()) {
    const big = prefix.charAt(0).toUpperCase();
    const low = big.toLowerCase();
    const k = big === 'K' ? 'k' : big;
    const decimal = 1000n ** BigInt(index + 1);
    const binary = 1024n ** BigInt(index + 1);
    const spelt = (name: string): string => (isRate ? `${name}s per second` : `${name}, ${name}s`);
    const loose = isRate ? `${low}b/s` : `${low}b, ${prefix}s, ${big === 'G' ? 'gig, gigs' : `${low}bytes`}`;
    lines.push(
      `${k}B${tail}|${k}B${tail} = ${decimal * 8n} : ${spelt(`${prefix}byte`)}, ${k}B${tail}, ${big}B${tail}, ${isRate ? `${k}Bps, ${big}Bps, ` : ''}${loose}`,
      `${k}bit${tail}|${k}bit${tail} = ${decimal} : ${spelt(`${prefix}bit`)}, ${k}b${tail}, ${big}b${tail}, ${low}bit${tail}${isRate ? `, ${big}bps, ${low}bps` : ''}`,
      `${big}iB${tail}|${big}iB${tail} = ${binary * 8n} : ${spelt(`${prefix.slice(0, 2)}bibyte`)}, ${low}ib${tail}`,
    );
  }
  return lines.map(unitOf);
}

export const DIMENSIONS: readonly Dimension[] = [
  ...TABLE.split('\n# ')
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trim().split('\n');
      return { name, units: lines.map(unitOf) };
    }),
  { name: 'data', units: dataUnits(false) },
  { name: 'data rate', units: dataUnits(true) },
];
