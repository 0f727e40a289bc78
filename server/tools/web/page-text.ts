/** What kind of text a page is, and its characters. */
import { createDecoder } from '../../lib/text-decoder.ts';
import { ToolError } from '../tool.ts';

const TEXT_TYPES =
  /^(?:text\/[\w.+-]+|application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|[\w.-]+\+(?:json|xml|yaml)))$/;
const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const HTML_BEGINNING = /^\s*(?:<!doctype html|<html|<head|<body)/i;
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*(?:["']\s*)?([\w-]{1,40})/i;
/** How far into a page its own word on its characters is looked for, in bytes. */
const META_WITHIN = 2_048;

/** Reads a body as what its type says. Throws ToolError in words for everything that is no text. */
export function decodePage(contentType: string, body: Buffer): { kind: 'html' | 'text'; text: string } {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '') {
    const text = decode(body, null);
    if (text.includes('\0') || text.includes('\ufffd'))
      throw new ToolError('It has no media type, and it isn’t text.');
    return { kind: HTML_BEGINNING.test(text) ? 'html' : 'text', text };
  }
  if (!HTML_TYPES.has(type) && !TEXT_TYPES.test(type)) throw new ToolError(refusal(type));
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? null;
  if (!HTML_TYPES.has(type)) return { kind: 'text', text: decode(body, charset) };
  const meta = META_CHARSET.exec(body.subarray(0, META_WITHIN).toString('latin1'))?.[1] ?? null;
  return { kind: 'html', text: decode(body, charset ?? meta) };
}

/** A mark at the beginning says more than anything else; a name that nobody knows counts as UTF-8. */
function decode(body: Buffer, charset: string | null): string {
  const start = body.subarray(0, 3).toString('hex');
  const marked = start.startsWith('fffe') ? 'utf-16le' : start.startsWith('feff') ? 'utf-16be' : null;
  const label = start === 'efbbbf' ? 'utf-8' : (marked ?? charset ?? 'utf-8');
  try {
    return createDecoder(label, false)
      .decode(body)
      .replace(/^\ufeff/, '');
  } catch {
    return new TextDecoder().decode(body);
  }
}

function refusal(type: string): string {
  const kinds: readonly (readonly [RegExp, string])[] = [
    [/^image\//, 'a picture'],
    [/^audio\//, 'a sound'],
    [/^video\//, 'a video'],
    [/^application\/pdf$/, 'a PDF document'],
    [/zip|compressed|gzip|x-tar/, 'an archive'],
  ];
  const kind = kinds.find(([pattern]) => pattern.test(type))?.[1] ?? 'a file';
  return `That address leads to ${kind} (${type.slice(0, 80)}), not to a page of text, so it can’t be read.`;
}
