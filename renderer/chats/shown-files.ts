import type { Attachment, AttachmentKind } from '../../shared/api/attachment.ts';
import type { Message, StepFile } from '../../shared/api/message.ts';
import { isPictureType } from '../../shared/pictures.ts';
import { filePath, stepFilePath } from '../api/files.ts';

/** A file of a message or of a tool's step, as the page shows it. */
export interface ShownFile {
  /** Where the service serves its bytes; it also identifies the file. */
  path: string;
  name: string;
  /** `other`: it can't be shown, only downloaded. */
  kind: AttachmentKind | 'other';
  /** In bytes. */
  bytes: number;
  /** For a picture, in pixels, if known. */
  width?: number | undefined;
  height?: number | undefined;
  /** Its bytes, if the page has them and the service doesn't. */
  blob?: Blob;
}

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

/** A file that a tool returned in a chat. */
export const fileOfStep = (chatId: string, { id, name, mediaType, bytes }: StepFile): ShownFile => ({
  path: stepFilePath(chatId, id),
  name,
  kind: kindOf(mediaType),
  bytes,
});

/** The parts of a chat that have files. */
interface ChatWithFiles {
  /** Null: it doesn't exist yet. */
  chatId: string | null;
  messages: readonly Pick<Message, 'attachments' | 'steps'>[];
}

/**
 * The picture at an address, if it is one of the chat's own files; else null. A message can't make the page request
 * anything else: an address is only compared with those of the files.
 */
export function pictureAt(
  address: string,
  { chatId, messages }: ChatWithFiles,
  origin: string = location.origin,
): ShownFile | null {
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  if (chatId === null || !path.startsWith('/api/v1/')) return null;
  for (const { attachments = [], steps = [] } of messages) {
    const files = [
      ...attachments.map(fileOfMessage),
      ...steps.flatMap((step) => step.files ?? []).map((file) => fileOfStep(chatId, file)),
    ];
    const found = files.find((file) => file.path === path && file.kind === 'image');
    if (found !== undefined) return found;
  }
  return null;
}

/** The picture in a `data:` address; null if it isn't of a kind that may be drawn. */
export function pictureIn(address: string): ShownFile | null {
  const [, mediaType = '', base64 = ''] = /^data:([^;,]+);base64,([\w+/=]+)$/.exec(address) ?? [];
  if (!isPictureType(mediaType.toLowerCase())) return null;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const blob = new Blob([bytes], { type: mediaType });
    return {
      path: address,
      name: mediaType.replace('image/', 'picture.'),
      kind: 'image',
      bytes: blob.size,
      blob,
    };
  } catch {
    return null;
  }
}

function kindOf(mediaType: string): ShownFile['kind'] {
  const plain = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (isPictureType(plain)) return 'image';
  return TEXT.test(plain) ? 'text' : 'other';
}
