import { redact } from '../redact.ts';
import type { SecretValues } from './server-secrets.ts';

/** Takes secrets out of a text. */
export type Mask = (text: string) => string;

/** Shorter values are switches and numbers: masking them would spoil every text. */
const MIN_SECRET_CHARACTERS = 6;
const MASK = '…';

/** A mask of a server's secrets, each also without the word before it (`Bearer …`), in pieces, and as it stands in addresses. */
export function createMask(values: SecretValues): Mask {
  const secrets = Object.values(values)
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .flatMap((value) => [
      value.trim(),
      encodeURIComponent(value.trim()),
      JSON.stringify(value.trim()).slice(1, -1),
    ])
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    .sort((one, other) => other.length - one.length);
  const unique = [...new Set(secrets)];
  return (text) => {
    let masked = text;
    for (const secret of unique) masked = masked.replaceAll(secret, MASK);
    return masked;
  };
}

/** As {@link createMask}, and takes out whatever else looks like a key: for logs, and for what a server says of a fault. */
export function createStrictMask(values: SecretValues): Mask {
  const mask = createMask(values);
  return (text) => redact(mask(text));
}
