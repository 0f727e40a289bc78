import { Type, type Static } from 'typebox';
import { MAX_ATTACHMENT_BYTES, MAX_FILE_NAME_CHARACTERS } from '../limits.ts';
import { WorkspaceId } from './common.ts';
import { withThousands } from '../numbers.ts';

/**
 * What a file is to its readers, as its bytes say. `image`: PNG, JPEG, WebP or GIF. `pdf`, `docx`: their text is read.
 * `text`: text of any kind, code, CSV and JSON included.
 */
export const ATTACHMENT_KINDS = ['image', 'pdf', 'docx', 'text'] as const;
export type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** A file of a message; its bytes are at `GET /api/v1/files/:fileId`. */
export const Attachment = Type.Object(
  {
    id: Type.String({ description: 'What it is told apart by.', examples: ['01jd3v6k2q8x'] }),
    name: Type.String({
      description: 'Its name, without a path; not unique.',
      examples: ['invoice.pdf'],
    }),
    kind: Type.Enum([...ATTACHMENT_KINDS], {
      description:
        'What it is, as its bytes say. `image`: PNG, JPEG, WebP or GIF. `pdf`, `docx`: their text is read. `text`: text of any kind, code, CSV and JSON included.',
    }),
    mediaType: Type.String({
      description: 'Its media type, as its bytes and its name say.',
      examples: ['application/pdf'],
    }),
    bytes: Type.Integer({ description: 'Its size.', examples: [48_213] }),
    width: Type.Optional(Type.Integer({ description: 'Of an image: its width in pixels.' })),
    height: Type.Optional(Type.Integer({ description: 'Of an image: its height in pixels.' })),
  },
  { description: 'A file of a message; `GET /api/v1/files/{id}` gives its bytes.' },
);
export type Attachment = Static<typeof Attachment>;

const FileName = Type.String({
  minLength: 1,
  maxLength: MAX_FILE_NAME_CHARACTERS,
  description: 'Its name. A path before it is left out.',
  examples: ['prices.csv'],
  expected: `text of 1 to ${MAX_FILE_NAME_CHARACTERS} characters`,
});

/** Query of `POST /api/v1/files`; the body is the file's bytes as they are. */
export const UploadFileQuery = Type.Object({ name: FileName, workspaceId: Type.Optional(WorkspaceId) });
export type UploadFileQuery = Static<typeof UploadFileQuery>;

/** Answer of `POST /api/v1/files`. */
export const FileAnswer = Type.Object({ file: Attachment });
export type FileAnswer = Static<typeof FileAnswer>;

/** Answer of `GET /api/v1/files/:fileId/text`. */
export const FileText = Type.Object(
  {
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'Its text; of Word documents as Markdown. Null: it has none that could be read.',
    }),
    isCut: Type.Boolean({ description: 'The file has more: this is its beginning.' }),
    reason: Type.Optional(
      Type.String({
        description: 'Why there is none, as a sentence that goes on from the file’s name.',
        examples: ['holds no text, only pictures, as a scan does'],
      }),
    ),
  },
  { description: 'The text of a file, as models are told it.' },
);
export type FileText = Static<typeof FileText>;

/** A file that goes along with a message: one that was uploaded before, or one that the request itself holds. */
export const AttachmentInput = Type.Union(
  [
    Type.Object({
      fileId: Type.String({
        description:
          'Id of a file that `POST /api/v1/files` took, or of a file of another message that the key can read.',
        expected: 'the id of a file that was uploaded before',
        examples: ['01jd3v6k2q8x'],
      }),
    }),
    Type.Object({
      name: FileName,
      data: Type.String({
        description: `Its bytes as Base64; at most ${withThousands(MAX_ATTACHMENT_BYTES)} bytes when decoded, all files of a request together.`,
        expected: 'the file’s bytes as Base64',
        examples: ['Y2l0eSxwcmljZQpSb21lLDEyCg=='],
      }),
    }),
  ],
  {
    description: 'A file that goes along: one uploaded before, or one that the request holds.',
    expected: '{ "fileId" } of a file uploaded before, or { "name", "data" }',
  },
);
export type AttachmentInput = Static<typeof AttachmentInput>;

/** Path of the endpoints about one file. */
export const FileParams = Type.Object({ fileId: Type.String({ description: 'Id of the file.' }) });
