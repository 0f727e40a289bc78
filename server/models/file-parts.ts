/** Parley's own marks on parts of messages, which no server gets. They tell a file's text from what the person wrote. */
import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider';

/** What is known about the file whose text a part holds. */
export interface FileMark {
  name: string;
  mediaType: string;
  /** Only its beginning was read. */
  isCut: boolean;
  /** Why it has no text, as in `TurnFile`; null: it has. */
  reason: string | null;
}

/** The options of a part that is a file's text; no server knows them. */
export const markFile = (mark: FileMark): { parley: { file: string } } => ({
  parley: { file: JSON.stringify(mark) },
});

/** What Parley notes on a part of a message. */
export interface OwnMark {
  /** Another model thought it. */
  isOfOther?: true;
  /** A client returned the thought, so its signature is lost, or the result. */
  isReturned?: true;
  /** The arguments of a call, as the model wrote them. */
  input?: string;
}

/** The options of a part with that mark. */
export const markOwn = (mark: OwnMark): { parley: { [name: string]: string | true } } => ({
  parley: { ...mark },
});

/** The mark on a part. */
export const ownMarkOf = (part: { providerOptions?: LanguageModelV4TextPart['providerOptions'] }): OwnMark =>
  part.providerOptions?.['parley'] ?? {};

/** The file whose text a part holds; null: none. */
export function fileOf(part: {
  providerOptions?: LanguageModelV4TextPart['providerOptions'];
}): FileMark | null {
  const mark = part.providerOptions?.['parley']?.['file'];
  return typeof mark === 'string' ? (JSON.parse(mark) as FileMark) : null;
}

/** Whether a part is a picture, or another file that isn't text. */
export const isFilePart = (part: { type: string }): part is LanguageModelV4FilePart => part.type === 'file';

/** A part's text; that of a file between marks with its name. */
export function markedText(part: LanguageModelV4TextPart): string {
  const file = fileOf(part);
  if (file === null || file.reason !== null) return part.text;
  const { name, mediaType, isCut } = file;
  const rest = isCut ? '\n[The file goes on: only so much of it was read.]' : '';
  return `<file name=${JSON.stringify(name)} type=${JSON.stringify(mediaType)}>\n${part.text}${rest}\n</file>`;
}
