/** The form of API keys, and what is stored of them. */
import { hash, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'parley_';
const KEY_BYTES = 32;
const KEY_PATTERN = /^parley_[A-Za-z0-9_-]{43}$/;
/** How much of a key is shown: enough to tell keys apart and too little to guess the rest. */
export const SHOWN_CHARACTERS = KEY_PREFIX.length + 6;

/** A new key: `parley_` and 43 base64url characters, 256 random bits. */
export const createKeyText = (): string => KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');

/** Whether the text could be a key at all. */
export const isKeyText = (text: string): boolean => KEY_PATTERN.test(text);

/** SHA-256 of a key, in hex: all that is ever stored of it. */
export const digestOf = (key: string): string => hash('sha256', key, 'hex');
