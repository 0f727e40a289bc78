const KIB = 1024;

const number = (unit: string, unitDisplay: 'short' | 'long' = 'short'): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
const inBytes = number('byte', 'long');
const inKilobytes = number('kilobyte');
const inMegabytes = number('megabyte');

/** A size in readable form; 1 kB is 1,024 bytes. */
export function describeBytes(bytes: number): string {
  if (bytes < KIB) return inBytes.format(bytes);
  return bytes < KIB * KIB ? inKilobytes.format(bytes / KIB) : inMegabytes.format(bytes / KIB / KIB);
}
