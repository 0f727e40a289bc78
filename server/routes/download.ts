/** Answers that are files, and what the API's document says of them. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { attachment } from '../data/file-names.ts';

/** The bytes of a file. */
export const FileBytes = Type.String({ description: 'The file.' });

/** Headers of every download. */
export const DOWNLOAD_HEADERS = { 'Content-Disposition': '`attachment`, with the file’s name.' };

/** Sends a file that somebody else gave: it is saved, and nothing may open it as a page of this origin. */
export const sendDownload = (
  reply: FastifyReply,
  { name, mediaType }: { name: string; mediaType: string },
  data: Buffer | Readable,
): FastifyReply =>
  reply
    .type(mediaType)
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'no-store')
    .send(data);
