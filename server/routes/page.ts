/**
 * The built chat page, and the API's reference. The build names their files, so only plain paths below
 * the folder are served: no dot-files, and no way out of the folder.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Settings } from '../../shared/api/settings.ts';
import type { App } from '../plugins/route.ts';

const FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const NOT_BUILT =
  'This page has not been built. Run "npm run build" in the project folder, then reload the page.\n';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** What a page may load and do; nothing from anywhere else. */
const policy = (styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': policy("'self'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Else Chromium looks up the hosts of links as they are drawn, and a reply's link could carry words out that way.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * What a message describes (a diagram, a web page) is shown in a frame of its own: it has no origin, reaches nothing but the frame's own two
 * scripts, and is told what to show by the page.
 */
const SEALED_HEADERS = {
  ...SECURITY_HEADERS,
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  // Without an origin, it is a stranger to its own scripts.
  'cross-origin-resource-policy': 'cross-origin',
};

/** What of the settings has to be right before anything is drawn. */
type Appearance = Pick<Settings, 'theme' | 'textSize'>;

/**
 * Serves the files in `pageDir`, the chat page at `/`, the API's reference at `/docs`; without a folder, or before it is built, both say
 * how to build it.
 */
export function setupPageRoute(app: App, pageDir: string | null, appearance: () => Appearance): void {
  const sendPage = async (reply: FastifyReply, file: string): Promise<FastifyReply> => {
    const page = await read(pageDir, file);
    if (page === null) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return send(reply, file, withAppearance(page, appearance()));
  };
  app.get('/', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS).header('cache-control', 'no-cache');
    return sendPage(reply, 'index.html');
  });
  app.get('/docs', async (_request, reply) => {
    reply.headers(SECURITY_HEADERS).header('cache-control', 'no-cache');
    // Scalar writes its styles into the page.
    reply.header('content-security-policy', policy("'self' 'unsafe-inline'"));
    return sendPage(reply, 'docs/index.html');
  });
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*'];
    const file = FILE_PATH.test(path) ? await read(pageDir, path) : null;
    if (file === null) {
      reply.callNotFound();
      return reply;
    }
    // What the build names by its content never changes; everything else is asked for anew.
    const isNamedByContent = path.startsWith('assets/');
    reply
      .headers(path.startsWith('sealed/') ? SEALED_HEADERS : SECURITY_HEADERS)
      .header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
    return send(reply, path, file);
  });
}

/** The theme stands on the page as it is served: a script would come after the first paint, and it would flash. */
const withAppearance = (page: Buffer, { theme, textSize }: Appearance): Buffer =>
  Buffer.from(
    page.toString('utf8').replace('<html ', `<html data-theme="${theme}" data-text-size="${textSize}" `),
  );

const send = (reply: FastifyReply, path: string, file: Buffer): FastifyReply =>
  reply.type(TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream').send(file);

async function read(pageDir: string | null, path: string): Promise<Buffer | null> {
  if (pageDir === null) return null;
  try {
    return await readFile(join(pageDir, path));
  } catch {
    return null;
  }
}
