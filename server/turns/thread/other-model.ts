/** Longest name of a model that is told. */
const MAX_NAME_CHARACTERS = 300;

/**
 * The model that answered, where it is another than the one that was asked; else nothing. Servers name one model in many
 * ways: with a date, a tag, a folder, a maker. So a name that holds the other is the same one.
 */
export function otherModel(asked: string, answered: string | undefined): { model?: string } {
  if (answered === undefined) return {};
  const [one, other] = [plain(asked), plain(answered)];
  const isSame =
    other === '' ||
    one.includes(other) ||
    other.includes(one) ||
    plain(baseOf(asked)) === plain(baseOf(answered));
  return isSame ? {} : { model: answered.slice(0, MAX_NAME_CHARACTERS).toWellFormed() };
}

/** Without folder or maker before it, and tag, ending or date after it. */
const baseOf = (name: string): string =>
  (name.split('/').at(-1) ?? name)
    .replace(/:[^:]*$/, '')
    .replace(/\.(?:gguf|bin)$/i, '')
    .replace(/-(?:latest|\d{4}-?\d{2}-?\d{2}|\d{4})$/, '');

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
