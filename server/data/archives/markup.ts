/** What several apps' texts have in common: elements in them, names that become Markdown, and documents beside the conversation. */
import { decodeHTMLStrict } from 'entities/decode';
import { fenced, fileBlock } from '../../../shared/file-block.ts';
import { textOf } from '../../lib/fields.ts';
import { missing, textPart, type SourcePart } from './source-chat.ts';

/** The attributes of an element, with their entities decoded. */
export const attributesOf = (inTag: string): Map<string, string> =>
  new Map(
    [...inTag.matchAll(/(?<![\w-])([\w-]{1,40})="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeHTMLStrict(value),
    ]),
  );

/** A title as Markdown that shows it as it is, on one line. */
export const titleInMarkdown = (title: string): string =>
  title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>]/g, '\\$&');

/** How many characters of documents that were changed a chat may show: a long one with a thousand changes would be there a thousand times. */
export const MAX_CHANGED_CHARACTERS = 2 * 1024 ** 2;

/** One state of a document that a model writes beside the conversation: a canvas or an artifact. Each stands in the reply that wrote it. */
export interface WrittenDocument {
  title: string;
  /** As a fence names it. */
  language: string;
  text: string;
}

/** The document in a reply: its title, and its text in a fence. */
export function documentPart({ title, language, text }: WrittenDocument): SourcePart[] {
  if (text.trim() === '') return [];
  return textPart(`**${titleInMarkdown(title) || 'Document'}**\n\n${importedCode(text, language)}`);
}

/** Code in a fence, which names its language if it looks like one. */
export const importedCode = (code: string, language: string): string =>
  fenced(code, /^[\w+#.-]{1,30}$/.test(language) ? language : '');

/** A text file in a message. Without its text, or with no name (empty), only what is there is shown. */
export function filePart(name: string, content: unknown): SourcePart {
  const text = textOf(content);
  return text === null ? missing('file', name || null) : { kind: 'text', text: fileBlock({ name, text }) };
}
