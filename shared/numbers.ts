/**
 * A whole number with thousands separators, e.g. `100,000`. For texts made while the service starts: `Intl` takes
 * longer to load than everything else in shared/.
 */
export const withThousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
