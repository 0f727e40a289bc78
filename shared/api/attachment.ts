import { Type, type Static } from 'typebox';
import { MAX_ADDRESS_CHARACTERS, MAX_ATTACHMENT_BYTES, MAX_FILE_NAME_CHARACTERS } from '../limits.ts';
import { orNull, WorkspaceId } from './common.ts';
import { withThousands } from '../numbers.ts';

/** A file of a message; its bytes are at `GET /api/v1/files/:fileId`. */
export const Attachment = Type.Object(
  {
    id: Type.String({ description: 'Unique id.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      description: 'Its name, without a path; not unique.',
      examples: ['invoice.pdf'],
    }),
    kind: Type.Enum(['image', 'pdf', 'docx', 'text'], {
      description:
        'What it is, detected from its bytes. `image`: PNG, JPEG, WebP or GIF. `pdf`, `docx`: their text is read. `text`: any text, including code, CSV and JSON.',
    }),
    mediaType: Type.String({
      description: 'Its media type, detected from its bytes and its name.',
      examples: ['application/pdf'],
    }),
    bytes: Type.Integer({ description: 'Its size in bytes.', examples: [48_213] }),
    width: Type.Optional(Type.Integer({ description: 'Width in pixels, of images only.' })),
    height: Type.Optional(Type.Integer({ description: 'Height in pixels, of images only.' })),
  },
  { description: 'A file of a message. Read its bytes with `GET /api/v1/files/{id}`.' },
);
export type Attachment = Static<typeof Attachment>;
export type AttachmentKind = Attachment['kind'];

const FileName = Type.String({
  minLength: 1,
  maxLength: MAX_FILE_NAME_CHARACTERS,
  description: 'Its name. A path in front of it is dropped.',
  examples: ['prices.csv'],
});

/** Query of `POST /api/v1/files`; the body is the raw bytes of the file. */
export const UploadFileQuery = Type.Object({ name: FileName, workspaceId: Type.Optional(WorkspaceId) });
export type UploadFileQuery = Static<typeof UploadFileQuery>;

/** Answer of `POST /api/v1/files`. */
export const FileAnswer = Type.Object({ file: Attachment });
export type FileAnswer = Static<typeof FileAnswer>;

/** Answer of `GET /api/v1/files/:fileId/text`. */
export const FileText = Type.Object(
  {
    text: orNull(Type.String(), {
      description: 'Its text; Word documents as Markdown. Null: no text could be read.',
    }),
    isCut: Type.Boolean({ description: 'Whether this is only the beginning of the text.' }),
    encoding: Type.Optional(
      Type.String({
        description:
          'Of a text file: its encoding, as the Encoding Standard names it. One that isn’t UTF-8 and doesn’t say so is recognised by its letters.',
        examples: ['windows-1252'],
      }),
    ),
    reason: Type.Optional(
      Type.String({
        description: 'Why there is no text, as a phrase that follows the file’s name.',
        examples: ['holds no text, only pictures, as a scan does'],
      }),
    ),
  },
  { description: 'The text of a file, as models get it.' },
);
export type FileText = Static<typeof FileText>;

/** A file to attach to a message: one that was uploaded before, or one inside the request. */
export const AttachmentInput = Type.Union(
  [
    Type.Object({
      fileId: Type.String({
        description:
          'Id of a file uploaded with `POST /api/v1/files`, or of a file of another message that the key can read.',
        expected: 'the id of a file that was uploaded before',
        examples: ['01jd3v6k2q8x'],
      }),
    }),
    Type.Object({
      name: FileName,
      data: Type.String({
        description: `Its bytes as Base64. All files of a request together: at most ${withThousands(MAX_ATTACHMENT_BYTES)} bytes when decoded.`,
        expected: 'the file’s bytes as Base64',
        examples: ['Y2l0eSxwcmljZQpSb21lLDEyCg=='],
      }),
    }),
  ],
  {
    description: 'A file to attach: one that was uploaded before, or one inside the request.',
    expected: '{ "fileId" } of a file uploaded before, or { "name", "data" }',
  },
);
export type AttachmentInput = Static<typeof AttachmentInput>;

/** Path of the endpoints about one file. */
export const FileParams = Type.Object({ fileId: Type.String({ description: 'Id of the file.' }) });

/** Query of `GET /api/v1/pictures`. */
export const PictureQuery = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: MAX_ADDRESS_CHARACTERS,
    description: 'The full address of the picture, `https` or `http`.',
    expected: `the full address of a picture, up to ${MAX_ADDRESS_CHARACTERS} characters`,
    examples: ['https://example.com/cat.png'],
  }),
});
