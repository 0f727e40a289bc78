import type { Attachment, AttachmentKind } from '../../shared/api/attachment.ts';
import type { StepFile } from '../../shared/api/message.ts';
import { filePath, stepFilePath } from '../api/download.ts';

/** A file of a message or of a tool's step, as the page shows it. */
export interface ShownFile {
  /** Where the service gives its bytes; also what it is told apart by. */
  path: string;
  name: string;
  /** `other`: it can't be shown, only downloaded. */
  kind: AttachmentKind | 'other';
  /** Its size. */
  bytes: number;
  /** Of a picture, in pixels, where that is known. */
  width?: number | undefined;
  height?: number | undefined;
}

/** What is drawn and nothing else: a picture of another kind may be a page with scripts. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const TEXT = /^text\/|^application\/(json|xml|yaml|toml|javascript|x-ndjson)$|\+(json|xml)$/;

/** A file of a message. */
export const fileOfMessage = ({ id, name, kind, bytes, width, height }: Attachment): ShownFile => ({
  path: filePath(id),
  name,
  kind,
  bytes,
  width,
  height,
});

/** A file that a tool gave in a chat. */
export const fileOfStep = (chatId: string, { id, name, mediaType, bytes }: StepFile): ShownFile => ({
  path: stepFilePath(chatId, id),
  name,
  kind: kindOf(mediaType),
  bytes,
});

function kindOf(mediaType: string): ShownFile['kind'] {
  const plain = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (PICTURES.has(plain)) return 'image';
  return TEXT.test(plain) ? 'text' : 'other';
}
