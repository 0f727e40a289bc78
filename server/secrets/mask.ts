import { redact } from '../lib/redact.ts';

/** Names with their values. */
export type SecretValues = Readonly<Record<string, string>>;

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Shorter values are switches and numbers: masking them would spoil every text. */
const MIN_SECRET_CHARACTERS = 6;
/** From here on a value of letters and digits is taken for a secret, whatever its name. */
const MIN_RANDOM_CHARACTERS = 16;
const MASK = '…';
const SECRET_NAME = /key|token|secret|pass|auth|cookie|credential/i;
/** What may stand before a secret in a header, and is none. */
const SCHEME = /^(?:bearer|basic|digest|token|api-?key)$/i;
/** An address that holds a password. */
const ADDRESS_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;

/**
 * A mask of a server's secrets for what its tools say and are said to do, which has to stay true: what is set to an ordinary
 * word, a path or an address is no secret, though it is kept as one. A value counts whose name says so or that looks like it,
 * also without the word before it (`Bearer …`), and as it stands in addresses.
 */
export function createMask(values: SecretValues): Mask {
  return maskOf(
    Object.entries(values).flatMap(([name, value]) => {
      const pieces = piecesOf(value);
      const [first = '', ...others] = pieces;
      const isSecret = SECRET_NAME.test(name) || ADDRESS_WITH_PASSWORD.test(value);
      return [
        ...(isSecret ? [value] : []),
        ...(isSecret && SCHEME.test(first) ? [value.trim().slice(first.length)] : []),
        ...(SCHEME.test(first) ? others : pieces).filter(looksRandom),
      ].filter((secret) => !SCHEME.test(secret.trim()));
    }),
  );
}

/**
 * A mask for logs, and for what a server says of a fault: takes out all values, each also in its pieces, and whatever else
 * looks like a key. Better a word too many than a secret.
 */
export function createStrictMask(values: SecretValues): Mask {
  const mask = maskOf(Object.values(values).flatMap((value) => [value, ...piecesOf(value)]));
  return (text) => redact(mask(text));
}

const piecesOf = (value: string): string[] => value.split(/[\s;,]+/).filter((piece) => piece !== '');

const looksRandom = (text: string): boolean =>
  text.length >= MIN_RANDOM_CHARACTERS && /[a-z]/i.test(text) && /\d/.test(text) && !/[/:]/.test(text);

function maskOf(secrets: readonly string[]): Mask {
  const forms = secrets
    .map((secret) => secret.trim())
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .filter((form) => form.length >= MIN_SECRET_CHARACTERS)
    .sort((one, other) => other.length - one.length);
  const unique = [...new Set(forms)];
  return (text) => {
    let masked = text;
    for (const form of unique) masked = masked.replaceAll(form, MASK);
    return masked;
  };
}
