/**
 * A number with thousands separators, e.g. `100,000`. For texts made while the service starts: `Intl` takes
 * longer to load than everything else in shared/.
 */
export const withThousands = (value: number | string): string =>
  String(value).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));

/** `1 day`, `2 days`, `1,000 days`. */
export const count = (amount: number, singular: string): string =>
  `${withThousands(amount)} ${singular}${amount === 1 ? '' : 's'}`;

/** Milliseconds in whole seconds, at least one: `1 second`, `30 seconds`. */
export const secondsOf = (ms: number): string => count(Math.max(1, Math.round(ms / 1000)), 'second');
