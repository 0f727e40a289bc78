/** Documents that a model writes beside the conversation: a canvas or an artifact. Each of their states stands in the reply that wrote it. */
import { fenceFor } from '../../../shared/file-block.ts';
import { titleInMarkdown } from './markup.ts';
import { textPart, type SourcePart } from './source-chat.ts';

/** How many characters of documents that were changed a chat may show: a long one with a thousand changes would be there a thousand times. */
export const MAX_CHANGED_CHARACTERS = 2 * 1024 ** 2;

/** One state of a document. */
export interface WrittenDocument {
  title: string;
  /** As a fence names it. */
  language: string;
  text: string;
}

/** The document in a reply: its title, and its text in a fence. */
export function documentPart({ title, language, text }: WrittenDocument): SourcePart[] {
  if (text.trim() === '') return [];
  const fence = fenceFor(text);
  const info = /^[\w+#.-]{1,30}$/.test(language) ? language : '';
  return textPart(
    `**${titleInMarkdown(title) || 'Document'}**\n\n${fence}${info}\n${text.replace(/\n$/, '')}\n${fence}`,
  );
}
