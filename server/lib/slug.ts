/** Longest slug, including a number that makes it unique. */
const MAX_SLUG_CHARACTERS = 40;
const ACCENTS = /\p{M}/gu;

/**
 * A name for use in addresses and model names: `[a-z0-9-]{1,40}`, and not `isTaken`. `otherwise` is used for a name
 * without such letters or digits.
 */
export function slugFor(name: string, otherwise: string, isTaken: (slug: string) => boolean): string {
  const plain = cut(
    name
      .normalize('NFKD')
      .replace(ACCENTS, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-'),
    MAX_SLUG_CHARACTERS,
  );
  const base = plain === '' ? otherwise : plain;
  if (!isTaken(base)) return base;
  for (let number = 2; ; number += 1) {
    const slug = `${cut(base, MAX_SLUG_CHARACTERS - 1 - String(number).length)}-${number}`;
    if (!isTaken(slug)) return slug;
  }
}

const cut = (slug: string, length: number): string =>
  slug.replace(/^-/, '').slice(0, length).replace(/-$/, '');

/** The two parts of a connected model's name; null: it isn't one. The id of the model may hold slashes, too. */
export function splitModelName(name: string): { slug: string; modelId: string } | null {
  const slash = name.indexOf('/');
  if (slash < 1 || slash === name.length - 1) return null;
  return { slug: name.slice(0, slash), modelId: name.slice(slash + 1) };
}
