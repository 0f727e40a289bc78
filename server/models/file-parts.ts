/**
 * Files of a message as parts of it: marked, so that the code that cuts requests, and the offline assistant, can tell
 * them from what the person wrote. Servers get all text of a message as one part, in which files are marked by their
 * names.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider';

/** What is known about the file whose text a part holds. */
export interface FileMark {
  name: string;
  mediaType: string;
  /** Only its beginning was read. */
  isCut: boolean;
  /** Why it has no text, as in `TurnFile`; null: it has. */
  reason: string | null;
}

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];

/** The options of a part that is a file's text; no server knows them. */
export const markFile = (mark: FileMark): { parley: { file: string } } => ({
  parley: { file: JSON.stringify(mark) },
});

/** The file whose text a part holds; null: none. */
export function fileOf(part: {
  providerOptions?: LanguageModelV4TextPart['providerOptions'];
}): FileMark | null {
  const mark = part.providerOptions?.['parley']?.['file'];
  return typeof mark === 'string' ? (JSON.parse(mark) as FileMark) : null;
}

/** Whether a part is a picture, or another file that isn't text. */
export const isFilePart = (part: { type: string }): part is LanguageModelV4FilePart => part.type === 'file';

/** The parts of a message as servers take them: pictures first, then one text, since not all take a list of texts. */
export function forServers(content: readonly UserPart[]): UserPart[] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [inItsFile(part)] : []));
  const text: UserPart[] = texts.length === 0 ? [] : [{ type: 'text', text: texts.join('\n\n') }];
  return [...content.filter(isFilePart), ...text];
}

function inItsFile(part: LanguageModelV4TextPart): string {
  const file = fileOf(part);
  if (file === null || file.reason !== null) return part.text;
  const { name, mediaType, isCut } = file;
  const rest = isCut ? '\n[The file goes on: only so much of it was read.]' : '';
  return `<file name=${JSON.stringify(name)} type=${JSON.stringify(mediaType)}>\n${part.text}${rest}\n</file>`;
}
