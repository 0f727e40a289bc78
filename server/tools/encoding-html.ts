import { decodeHTMLStrict } from 'entities/decode';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the five characters that mean something in HTML. */
export function encodeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Replaces entities, numbered and named; what is not known, or no character, stays as it is. */
export function decodeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|[A-Za-z][A-Za-z\d]*);/g,
    (entity, decimal, hex) => {
      if (typeof decimal !== 'string' && typeof hex !== 'string') return decodeHTMLStrict(entity);
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : entity;
    },
  );
}
