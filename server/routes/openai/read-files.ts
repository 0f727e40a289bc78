/** Reads pictures and files from the parts of a message. */
import { fieldsOf } from '../../lib/fields.ts';
import { imageTypeOf } from '../../files/image-size.ts';
import { invalidParam } from '../../plugins/openai-error.ts';

/** A file that a client sent. */
export interface ClientFile {
  name: string;
  /** In Base64; of a linked picture, its address. */
  data: string;
  /** A picture elsewhere; {@link LINKED_PICTURE_TYPE} is its type. */
  isLinked?: true;
  /** Null: it is no picture. */
  pictureType: string | null;
  /** The wanted detail of a picture; absent: none was given. */
  detail?: string;
}

/** The media type of a linked picture, which nobody knows. */
export const LINKED_PICTURE_TYPE = 'image/*';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/i;
/** Enough to recognise a picture. */
const HEAD_CHARACTERS = 64;

/** The file in a part; null: it isn't one. Throws OpenAiError for a file that can't be used. */
export function readFilePart(part: unknown, param: string): ClientFile | null {
  const { type, image_url: image, file, filename, file_data: data, detail } = fieldsOf(part);
  switch (type) {
    case 'image_url':
    case 'input_image': {
      const { url = image, detail: inner = detail } = fieldsOf(image);
      const picture = fileOf(url, 'picture', `${param}.image_url`);
      return typeof inner === 'string' ? { ...picture, detail: inner } : picture;
    }
    case 'file': {
      const inner = fieldsOf(file);
      return fileOf(inner['file_data'], inner['filename'], `${param}.file.file_data`);
    }
    case 'input_file':
      return fileOf(data, filename, `${param}.file_data`);
    default:
      return null;
  }
}

function fileOf(given: unknown, name: unknown, param: string): ClientFile {
  const refuse = (): never => {
    throw invalidParam(param, `"${param}" must be ${WANTED}`);
  };
  if (typeof given !== 'string') return refuse();
  const address = /^https?:/i.test(given) ? URL.parse(given) : null;
  if (address !== null && name === 'picture')
    return { name, data: address.href, pictureType: LINKED_PICTURE_TYPE, isLinked: true };
  if (/^https?:/i.test(given)) return refuse();
  const data = given.replace(DATA_URL, '').trim();
  if (data === '' || /^data:/i.test(data) || /[^A-Za-z0-9+/=_-]/.test(data.slice(0, 1_000))) return refuse();
  const pictureType = imageTypeOf(Buffer.from(data.slice(0, HEAD_CHARACTERS), 'base64'));
  if (name === 'picture' && pictureType === null) return refuse();
  return {
    name: typeof name === 'string' && name.trim() !== '' ? name : 'file',
    data,
    pictureType,
  };
}

const WANTED =
  'the data itself, as a data: URL in Base64, or the address of a picture: Parley fetches no other files, and knows none of OpenAI’s file ids.';
