import { rawTimeZones } from '@vvo/tzdb';
import { IANAZone } from 'luxon';
import { ToolError } from '../tool.ts';
import { ABBREVIATIONS, CAPITALS_ZONE, MORE_PLACES } from './place-table.ts';

/** A place's clock. */
export interface Place {
  /** Its display name: "Tokyo", "New York", "UTC+2". */
  name: string;
  /** IANA zone, or a fixed offset like `UTC+2`. */
  zone: string;
  /** The season an abbreviation claims ("EST" is standard time), when it claims one. */
  season?: 'standard' | 'summer';
}

const cities = new Map<string, Place>();
const countries = new Map<string, { name: string; zones: string[] }>();
const zoneNames = new Map<string, Place>();

for (const zone of rawTimeZones) {
  for (const city of zone.mainCities) remember(cities, city, zone.name);
  for (const id of [zone.name, ...zone.group]) {
    zoneNames.set(normalise(id), { name: cityOf(id), zone: zone.name });
    if (id.includes('/')) remember(cities, cityOf(id), zone.name);
  }
  const country = normalise(zone.countryName);
  const known = countries.get(country);
  if (known) known.zones.push(zone.name);
  else countries.set(country, { name: zone.countryName.replace(/^The /, 'the '), zones: [zone.name] });
}
for (const [name, zone] of MORE_PLACES) cities.set(normalise(name), { name, zone });

function remember(places: Map<string, Place>, name: string, zone: string): void {
  const key = normalise(name);
  if (!places.has(key)) places.set(key, { name, zone });
}

function cityOf(id: string): string {
  return (id.split('/').at(-1) ?? id).replaceAll('_', ' ');
}

function normalise(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[._’'‘]/g, (sign) => (sign === '_' ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The clock of a city, country, zone, abbreviation or offset; null if it isn't known, or is a country with several zones (see
 * {@link resolvePlace}).
 */
export function findPlace(text: string): Place | null {
  const key = normalise(text)
    .replace(/^the (?=[a-z])/, '')
    .replace(/ (?:time|local time|time zone|timezone)$/, '');
  if (key === '') return null;
  return fromAbbreviation(key) ?? fromOffset(key) ?? fromName(key);
}

function fromName(key: string): Place | null {
  const found = cities.get(key) ?? zoneNames.get(key);
  if (found) return found;
  const country = countries.get(key) ?? countries.get(`the ${key}`);
  if (country) {
    const zone = country.zones.length === 1 ? country.zones[0] : CAPITALS_ZONE.get(key);
    if (zone) return { name: country.name, zone };
  }
  // The London of "London, Ontario" is another one: a city counts where it lies in what is named after it.
  const [, city, region = ''] = /^([^,]+), ?([^,]+)$/.exec(key) ?? [];
  if (city === undefined) return null;
  const place = fromName(city);
  const zones = [fromName(region)?.zone, ...(countryOf(region)?.zones ?? [])];
  return fromName(`${city} ${region}`) ?? (place && zones.includes(place.zone) ? place : null);
}

function fromAbbreviation(key: string): Place | null {
  const known = ABBREVIATIONS.get(key);
  if (!known) return null;
  const [zone, season] = known;
  return { name: key.length <= 5 ? key.toUpperCase() : capitalise(key), zone, ...(season ? { season } : {}) };
}

function capitalise(words: string): string {
  return words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function fromOffset(key: string): Place | null {
  const match = /^(?:utc|gmt)?\s*([-+])\s*(\d{1,2})(?::?(\d{2}))?$/.exec(
    key.replace('−', '-').replace('–', '-'),
  );
  if (!match) return null;
  const [, sign = '+', hours = '0', minutes = '00'] = match;
  if (Number(hours) > 14 || Number(minutes) > 59) return null;
  const tail = minutes === '00' ? '' : `:${minutes}`;
  return {
    name: `UTC${sign === '-' ? '−' : '+'}${Number(hours)}${tail}`,
    zone: `UTC${sign}${Number(hours)}${tail}`,
  };
}

/**
 * The clock of a place.
 * @throws ToolError when the place is not known, or is a country with several zones.
 */
export function resolvePlace(text: string): Place {
  const place = findPlace(text);
  if (place) return place;
  const key = normalise(text).replace(/^the /, '');
  const country = countryOf(key);
  if (country) {
    const some = country.zones.slice(0, 3).map(cityOf);
    const examples = EXAMPLE_CITIES.get(normalise(country.name)) ?? some.join(', ');
    throw new ToolError(`${country.name} has several time zones: name a city, such as ${examples}.`);
  }
  throw new ToolError(
    `I don't know the time zone of "${text.slice(0, 60)}"; try its largest city, or an offset such as UTC+2.`,
  );
}

const countryOf = (key: string) => countries.get(COUNTRY_NICKNAMES.get(key) ?? key);

/** Whether the words name a country with several zones: a place, though not one clock. */
export function isManyZoned(text: string): boolean {
  const key = normalise(text).replace(/^the /, '');
  return (countryOf(key)?.zones.length ?? 0) > 1;
}

const COUNTRY_NICKNAMES = new Map([
  ['us', 'united states'],
  ['usa', 'united states'],
  ['america', 'united states'],
  ['united states of america', 'united states'],
]);

const EXAMPLE_CITIES = new Map([
  ['united states', 'New York, Chicago or Los Angeles'],
  ['canada', 'Toronto, Calgary or Vancouver'],
  ['australia', 'Sydney, Adelaide or Perth'],
  ['russia', 'Moscow, Novosibirsk or Vladivostok'],
  ['brazil', 'São Paulo, Manaus or Rio Branco'],
  ['mexico', 'Mexico City, Cancún or Tijuana'],
  ['indonesia', 'Jakarta, Makassar or Jayapura'],
]);

/** The IANA name of the person's zone, or UTC when it is not a zone. */
export function ownZone(timeZone: string): string {
  return IANAZone.isValidZone(timeZone) ? timeZone : 'UTC';
}

/** What to call the person's own zone in a sentence. */
export function zoneCity(zone: string): string {
  return zone === 'UTC' || zone === 'Etc/UTC' ? 'UTC' : cityOf(zone);
}
