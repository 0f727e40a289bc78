/** Claude's artifacts: calls of a tool in newer archives, marked passages of the text in older ones. */
import { languageOf } from '../../../shared/file-block.ts';
import { textOf, type Fields } from '../../lib/fields.ts';
import { attributesOf, documentPart, MAX_CHANGED_CHARACTERS, type WrittenDocument } from './markup.ts';
import { call, stringIn, textPart, type SourcePart } from './source-chat.ts';

/** A chat's artifacts as they are by now, by the app's id, and how many characters may still be shown of those that were changed. */
export interface Artifacts {
  byId: Map<string, WrittenDocument>;
  room: number;
}

/** None yet. */
export const noArtifacts = (): Artifacts => ({ byId: new Map(), room: MAX_CHANGED_CHARACTERS });

const LANGUAGES: Readonly<Record<string, string>> = {
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
  'image/svg+xml': 'svg',
  'text/html': 'html',
  'text/markdown': 'markdown',
};

const languageFrom = (type: unknown, language: unknown): string =>
  textOf(language) ?? LANGUAGES[stringIn(type)] ?? '';

/** A call that writes an artifact or a file, and the text as it is then; null: it is another call. */
export function artifactParts(block: Fields, input: Fields, artifacts: Artifacts): SourcePart[] | null {
  const { name } = block;
  const callId = textOf(block['id']);
  if (name === 'create_file' && typeof input['file_text'] === 'string') {
    const { file_text: written, ...rest } = input;
    const title = stringIn(input['path']);
    return [call(callId, name, rest), ...documentPart({ title, language: languageOf(title), text: written })];
  }
  if (name !== 'artifacts') return null;
  const { content, old_str: old, new_str: put, ...rest } = input;
  const id = stringIn(input['id']);
  const before = artifacts.byId.get(id);
  const whole = textOf(content);
  if (whole === null) artifacts.room -= before?.text.length ?? 0;
  const isFound = whole === null && artifacts.room > 0 && before?.text.includes(stringIn(old)) === true;
  const document: WrittenDocument = {
    title: textOf(input['title']) ?? before?.title ?? 'Artifact',
    language: languageFrom(input['type'], input['language']) || (before?.language ?? ''),
    text: whole ?? (isFound ? before.text.replace(stringIn(old), () => stringIn(put)) : stringIn(put)),
  };
  const isKnown = whole !== null || isFound;
  artifacts.byId.set(id, isKnown ? document : { ...document, text: '' });
  if (!isKnown) document.title += ' (changes)';
  return [call(callId, name, isKnown ? rest : input), ...documentPart(document)];
}

const OPENING = '<antArtifact';
const CLOSING = '</antArtifact>';

/** A text with its artifacts as documents, and what the model thought of them as reasoning. */
export function withArtifacts(written: unknown): SourcePart[] {
  const parts: SourcePart[] = [];
  let rest = stringIn(written).replace(
    /<antThinking>([^<]{0,2000})<\/antThinking>\s*/g,
    (_, thought: string) => {
      parts.push({ kind: 'reasoning', text: thought });
      return '';
    },
  );
  for (;;) {
    const start = rest.indexOf(OPENING);
    const inside = start === -1 ? -1 : rest.indexOf('>', start);
    const end = inside === -1 ? -1 : rest.indexOf(CLOSING, inside);
    if (end === -1) break;
    const named = attributesOf(rest.slice(start + OPENING.length, inside));
    const language = languageFrom(named.get('type'), named.get('language'));
    const title = named.get('title') ?? 'Artifact';
    parts.push(...textPart(rest.slice(0, start).trim()));
    parts.push(...documentPart({ title, language, text: rest.slice(inside + 1, end).replace(/^\n/, '') }));
    rest = rest.slice(end + CLOSING.length);
  }
  return [...parts, ...textPart(parts.length === 0 ? rest : rest.trim())];
}
