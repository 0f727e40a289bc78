/** Names of places and zones that the zone database doesn't have. Each line is a zone and its names. */
type Season = 'standard' | 'summer';
const SEASONS: Readonly<Record<string, Season>> = { '*': 'standard', '+': 'summer' };

const zonesByName = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [zone = '', names = ''] = line.split(': ');
        return names.split(', ').map((name) => [name, zone] as const);
      }),
  );

/**
 * Abbreviations of zones: `*` marks standard time, `+` summer time. They are read as the clock people there live by, so that
 * "3pm EST" in July is still New York's 3 pm; the season they claim is kept to say so. The ambiguous ones (CST, IST, BST) take
 * their commonest meaning.
 */
export const ABBREVIATIONS: ReadonlyMap<string, readonly [zone: string, Season | null]> = new Map(
  Array.from(
    zonesByName(`
UTC: utc, gmt, z, zulu
America/New_York: et, eastern, est*, eastern standard*, edt+
America/Chicago: ct, central, cst*, cdt+
America/Denver: mt, mountain, mst*, mdt+
America/Los_Angeles: pt, pacific, pst*, pdt+
America/Anchorage: akst*, akdt+
Pacific/Honolulu: hst
Europe/London: bst+
Europe/Lisbon: wet*, west+
Europe/Paris: central european, cet*, cest+
Europe/Athens: eet*, eest+
Europe/Moscow: msk
Asia/Kolkata: ist
Asia/Tokyo: jst
Asia/Seoul: kst
Asia/Hong_Kong: hkt
Asia/Singapore: sgt
Australia/Sydney: aest*, aedt+
Australia/Adelaide: acst*, acdt+
Australia/Perth: awst
Pacific/Auckland: nzst*, nzdt+
`),
    ([name, zone]) => [name.replace(/[*+]$/, ''), [zone, SEASONS[name.at(-1) ?? ''] ?? null]] as const,
  ),
);

/** The zone meant by a country with several, where nearly everybody lives by one. */
export const CAPITALS_ZONE = zonesByName(`
Asia/Shanghai: china
Europe/Madrid: spain
Europe/Lisbon: portugal
Pacific/Auckland: new zealand
Europe/Kyiv: ukraine
America/Santiago: chile
America/Guayaquil: ecuador
Pacific/Port_Moresby: papua new guinea
America/Nuuk: greenland
Pacific/Tahiti: french polynesia
`);

/** Capitals, large cities, states and short names. */
export const MORE_PLACES = zonesByName(`
America/New_York: NYC, NY, Washington, Washington DC, Boston, Miami, Atlanta, Pittsburgh, Baltimore, Orlando, Florida
America/New_York: Georgia (US), Massachusetts, Pennsylvania, New Jersey, Virginia, Ohio, Cleveland, Charlotte
America/New_York: North Carolina
America/Detroit: Detroit, Michigan
America/Chicago: Austin, New Orleans, Minneapolis, St Louis, Nashville, Memphis, Milwaukee, Kansas City, Texas
America/Chicago: Illinois, Minnesota, Louisiana, Wisconsin
America/Denver: Salt Lake City, Colorado, Utah, Santa Fe, New Mexico
America/Los_Angeles: LA, SF, Seattle, Portland, Las Vegas, Sacramento, Oakland, California, Oregon, Nevada
America/Los_Angeles: Silicon Valley
America/Toronto: Quebec, Quebec City, Ontario
America/Edmonton: Alberta
America/Vancouver: British Columbia
America/Halifax: Nova Scotia
Australia/Sydney: Sydney, New South Wales
Australia/Melbourne: Victoria
Australia/Hobart: Hobart, Tasmania
Australia/Perth: Western Australia
Europe/London: UK, Britain, Great Britain, England, Scotland, Wales, Edinburgh, Cardiff, Liverpool, Leeds, Bristol
Europe/London: Northern Ireland, Cambridge, Oxford
Europe/Paris: Nice, Bordeaux, Lille, Nantes, Strasbourg
Europe/Berlin: Frankfurt, Cologne, Stuttgart, Dusseldorf, Leipzig, Bonn
Europe/Amsterdam: Netherlands, Holland
Europe/Brussels: Ghent, Bruges
Europe/Rome: Florence, Venice, Bologna
Europe/Madrid: Seville, Malaga, Bilbao, Valencia
Europe/Zurich: Bern, Berne
Europe/Prague: Czech Republic
Europe/Warsaw: Lodz
Europe/Copenhagen: Aarhus
Europe/Malta: Valletta
Europe/Belgrade: Pristina, Kosovo
Europe/Kyiv: Lviv
Europe/Istanbul: Turkiye, Turkey
Europe/Moscow: St Petersburg
Asia/Dubai: UAE, Emirates
Asia/Kuwait: Kuwait City
Asia/Riyadh: Mecca, Medina
Asia/Kolkata: New Delhi, Bangalore, Chennai, Madras, Bombay, Pune, Goa, Ahmedabad, Jaipur
Asia/Karachi: Islamabad
Asia/Colombo: Sri Jayawardenepura Kotte
Asia/Dhaka: Chittagong
Asia/Shanghai: Shenzhen, Guangzhou, Wuhan, Nanjing, Hangzhou, Xi'an, Tianjin
Asia/Tokyo: Kyoto, Sapporo, Fukuoka, Hiroshima, Kobe
Asia/Seoul: Korea
Asia/Ho_Chi_Minh: Da Nang
Asia/Makassar: Bali
Asia/Yangon: Burma, Naypyidaw
Asia/Dili: East Timor
America/Sao_Paulo: Brasília, Rio, Curitiba, Porto Alegre
America/Monterrey: Guadalajara, Monterrey
America/Santiago: Valparaiso
America/Belize: Belmopan
Africa/Abidjan: Yamoussoukro, Cote d'Ivoire
Africa/Casablanca: Marrakesh, Marrakech
Indian/Mahe: Victoria (Seychelles)
Africa/Kinshasa: Congo, DRC
Africa/Mbabane: Swaziland
Asia/Gaza: Palestine
`);
