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
 * secret, also without a leading word (`Bearer …`), in half, and in the usual encodings.
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
  const secrets = Object.values(values).flatMap((value) => [value, ...piecesOf(value)]);
  const mask = maskOf(secrets, 0);
  return (text) => redact(mask(text));
}

/** Both masks for these values. */
export const createMasks = (values: SecretValues): { mask: Mask; strictMask: Mask } => ({
  mask: createMask(values),
  strictMask: createStrictMask(values),
});

const piecesOf = (value: string): string[] => value.split(/[\s;,]+/).filter((piece) => piece !== '');

const looksRandom = (text: string): boolean =>
  text.length >= MIN_RANDOM_CHARACTERS && /[a-z]/i.test(text) && /\d/.test(text) && !/[/:]/.test(text);

/** Parts of a secret that are as long are masked, too; in what must stay correct, from half of it on. */
const PART_CHARACTERS = 10;

function maskOf(secrets: readonly string[], share = 0.5): Mask {
  const forms = secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
    .flatMap(formsOf);
  const parts = new Map<number, Set<string>>();
  for (const form of forms) {
    const length = Math.min(form.length, Math.max(PART_CHARACTERS, Math.floor(form.length * share)));
    const ofLength = parts.get(length) ?? new Set();
    parts.set(length, ofLength);
    for (let at = 0; at + length <= form.length; at += 1) {
      const part = form.slice(at, at + length);
      if (part.trim() === part) ofLength.add(part);
    }
  }
  return (text) => [...parts].reduce((masked, [length, known]) => maskParts(masked, length, known), text);
}

/** Masks each run of the text in which every `length` characters are known. */
function maskParts(text: string, length: number, known: ReadonlySet<string>): string {
  let masked = '';
  let shown = 0;
  let hiddenTo = 0;
  for (let at = 0; at + length <= text.length; at += 1) {
    if (!known.has(text.slice(at, at + length))) continue;
    if (at > hiddenTo || hiddenTo === 0) masked += text.slice(shown, at) + MASK;
    shown = hiddenTo = at + length;
  }
  return masked + text.slice(shown);
}

/** A secret as a server may repeat it: as it is, and in the usual encodings, whatever stands before it. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const pairs = hex.match(/../g) ?? [];
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    // Characters at either end also hold bits of what stands beside the secret.
    return whole.toString('base64').slice(Math.ceil((before * 4) / 3), Math.floor((whole.length * 4) / 3));
  });
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ...[hex, pairs.map((pair) => `%${pair}`).join(''), pairs.map((pair) => `\\u00${pair}`).join('')].flatMap(
      (form) => [form, form.replace(/[\da-f]{2}/g, (pair) => pair.toUpperCase())],
    ),
  ];
}
