/**
 * The position of the column meant by `asked`: its name, without regard to case, or a looser likeness ("price" for
 * "Unit price" when only one fits), or its number from 1. Null when there is none.
 */
export function findColumn(columns: string[], asked: string): number | null {
  const wanted = normalised(asked);
  if (wanted === '') return null;
  const names = columns.map(normalised);
  const tests: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => singular(name) === singular(wanted),
    (name) => ` ${name} `.includes(` ${singular(wanted)} `) || ` ${name} `.includes(` ${wanted} `),
  ];
  const exact = columns.indexOf(asked);
  if (exact !== -1) return exact;
  for (const test of tests) {
    const fitting = names.flatMap((name, index) => (test(name) ? [index] : []));
    const [only] = fitting;
    if (only !== undefined && fitting.length === 1) return only;
  }
  const position = /^\d{1,6}$/.test(wanted) ? Number(wanted) - 1 : -1;
  return position >= 0 && position < columns.length ? position : null;
}

function normalised(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function singular(name: string): string {
  return name.length > 3 && name.endsWith('s') ? name.slice(0, -1) : name;
}
