import { redact } from '../lib/redact.ts';

/** Names with their values. */
export type SecretValues = Readonly<Record<string, string>>;

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Shorter values are switches and numbers: masking them would spoil every text. */
const MIN_SECRET_CHARACTERS = 6;
/** From this length on, a value of letters and digits counts as a secret, whatever its name. */
const MIN_RANDOM_CHARACTERS = 16;
const MASK = '…';
const SECRET_NAME = /key|token|secret|pass|auth|cookie|credential/i;
/** Words before a secret in a header that aren't secret themselves. */
const SCHEME = /^(?:bearer|basic|digest|token|api-?key)$/i;
/** An address that holds a password. */
const ADDRESS_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i;

/**
 * Masks a server's secrets in its tools' results and descriptions, which must stay correct: ordinary words, paths and
 * addresses aren't masked, though they are stored as secrets. A value is masked if its name or its look says that it is
 * secret, also without a leading word (`Bearer …`), and in its URL-encoded form.
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
 * A mask for logs and for servers' error messages: removes all values, also their parts, and anything else that looks
 * like a key. Better a word too many than a secret.
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
