/**
 * A whole number with its thousands apart, e.g. `100,000`. For texts that are made while the service starts: the
 * platform's own way to write numbers takes longer to load than the rest of what is shared.
 */
export const withThousands = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
