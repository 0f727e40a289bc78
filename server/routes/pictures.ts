import { PictureQuery } from '../../shared/api/attachment.ts';
import { PICTURE_TYPES } from '../../shared/pictures.ts';
import { AppError } from '../errors.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { ToolError } from '../tools/tool.ts';
import type { WebOptions } from '../tools/web/fetch-guarded.ts';
import { AddressError } from '../tools/web/web-address.ts';
import { DOWNLOAD_HEADERS, FileBytes, sendDownload, signalDeparture } from './transfer.ts';

const GONE_AWAY = new Error('The client disconnected before the picture arrived.');
const PICTURE = Object.fromEntries(PICTURE_TYPES.map((type) => [type, FileBytes]));

/** The endpoint that fetches a picture from another server when a person clicks it. */
export function setupPictureRoutes(app: App, web: WebOptions): void {
  createEndpoints(app, 'Files').get(
    '/api/v1/pictures',
    'fetchPicture',
    'Fetch a picture from another server',
    {
      description:
        'For pictures that a message links to. The server learns this computer’s network address and nothing else. PNG, JPEG, WebP and GIF (detected from the bytes) up to 10 MiB, in at most 20 seconds, from the public internet only. Nothing is stored.',
      access: 'outgoing',
      errors: ['fetch_failed'],
      answers: { 200: { content: PICTURE, headers: DOWNLOAD_HEADERS } },
      query: PictureQuery,
      handle: async ({ query, reply }) => {
        const { fetchPicture } = await import('../chats/fetch-picture.ts');
        try {
          const picture = await fetchPicture(query.url, web, signalDeparture(reply, GONE_AWAY));
          return await sendDownload(reply, picture, picture.bytes);
        } catch (error) {
          if (error instanceof AddressError) throw new AppError('invalid_request', error.message);
          if (error instanceof ToolError) throw new AppError('fetch_failed', error.message);
          throw error;
        }
      },
    },
  );
}
