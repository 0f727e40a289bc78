import { Type, type Static } from 'typebox';
import { MAX_ADDRESS_CHARACTERS, MAX_ATTACHMENT_BYTES, MAX_FILE_NAME_CHARACTERS } from '../limits.ts';
import { choice, flag, object, optional, orNull, text, whole, WorkspaceId } from './common.ts';
import { withThousands } from '../numbers.ts';

/** A file of a message; its bytes are at `GET /api/v1/files/:fileId`. */
export const Attachment = object('A file of a message. Read its bytes with `GET /api/v1/files/{id}`.', {
  id: text('Unique id.', '01jd3v6k2q8x'),
  name: text('Its name, without a path; not unique.', 'invoice.pdf'),
  kind: choice(
    ['image', 'pdf', 'docx', 'text'],
    'What it is, detected from its bytes. `image`: PNG, JPEG, WebP or GIF. `pdf`, `docx`: their text is read. `text`: any text, including code, CSV and JSON.',
  ),
  mediaType: text('Its media type, detected from its bytes and its name.', 'application/pdf'),
  bytes: whole('Its size in bytes.', 48_213),
  width: Type.Optional(whole('Width in pixels, of images only.')),
  height: Type.Optional(whole('Height in pixels, of images only.')),
});
export type Attachment = Static<typeof Attachment>;
export type AttachmentKind = Attachment['kind'];

const FileName = text('Its name. A path in front of it is dropped.', {
  minLength: 1,
  maxLength: MAX_FILE_NAME_CHARACTERS,
  examples: ['prices.csv'],
});

/** Query of `POST /api/v1/files`; the body is the raw bytes of the file. */
export const UploadFileQuery = Type.Object({ name: FileName, workspaceId: Type.Optional(WorkspaceId) });

/** Answer of `POST /api/v1/files`. */
export const FileAnswer = Type.Object({ file: Attachment });
export type FileAnswer = Static<typeof FileAnswer>;

/** Answer of `GET /api/v1/files/:fileId/text`. */
export const FileText = object('The text of a file, as models get it.', {
  text: orNull(Type.String(), 'Its text; Word documents as Markdown. Null: no text could be read.'),
  isCut: flag('Whether this is only the beginning of the text.'),
  ...optional({
    encoding: text(
      'Of a text file: its encoding, as the Encoding Standard names it. One that isn’t UTF-8 and doesn’t say so is recognised by its letters.',
      'windows-1252',
    ),
    reason: text(
      'Why there is no text, as a phrase that follows the file’s name.',
      'holds no text, only pictures, as a scan does',
    ),
  }),
});
export type FileText = Static<typeof FileText>;

/** A file to attach to a message: one that was uploaded before, or one inside the request. */
export const AttachmentInput = Type.Union(
  [
    Type.Object({
      fileId: text(
        'Id of a file uploaded with `POST /api/v1/files`, or of a file of another message that the key can read.',
        { expected: 'the id of a file that was uploaded before', examples: ['01jd3v6k2q8x'] },
      ),
    }),
    Type.Object({
      name: FileName,
      data: text(
        `Its bytes as Base64. All files of a request together: at most ${withThousands(MAX_ATTACHMENT_BYTES)} bytes when decoded.`,
        { expected: 'the file’s bytes as Base64', examples: ['Y2l0eSxwcmljZQpSb21lLDEyCg=='] },
      ),
    }),
  ],
  {
    description: 'A file to attach: one that was uploaded before, or one inside the request.',
    expected: '{ "fileId" } of a file uploaded before, or { "name", "data" }',
  },
);
export type AttachmentInput = Static<typeof AttachmentInput>;

/** Query of `GET /api/v1/pictures`. */
export const PictureQuery = Type.Object({
  url: text('The full address of the picture, `https` or `http`.', {
    minLength: 1,
    maxLength: MAX_ADDRESS_CHARACTERS,
    expected: `the full address of a picture, up to ${MAX_ADDRESS_CHARACTERS} characters`,
    examples: ['https://example.com/cat.png'],
  }),
});
