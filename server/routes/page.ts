/**
 * The built chat page, and the API's reference. The build names their files, so only plain paths below
 * the folder are served: no dot-files, and no way out of the folder.
 */
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../shared/api/settings.ts';
import { defaultDataDir } from '../config.ts';
import { quotePath } from '../lib/quote-path.ts';
import type { App } from '../plugins/endpoints.ts';
import { escapeHtml } from '../../shared/escape-html.ts';

const FILE_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const NOT_BUILT =
  'This page has not been built. Run "npm run build" in the project folder, then reload the page.\n';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The two names of a service's address; to a browser they are different sites. */
const NAMES = ['127.0.0.1', 'localhost'];

/** The service's addresses, the one that was requested first. */
function addressesOf({ host, socket }: FastifyRequest): string[] {
  const named = NAMES.map((name) => `http://${name}:${socket.localPort}`);
  return [...new Set([`http://${host}`, ...named])];
}

/** What a page may load and do; nothing from anywhere else. */
const policy = (request: FastifyRequest, styles: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // By both names; see sealed.ts in the window. The window hands PDFs to the browser's viewer as `blob:`.
    `frame-src 'self' blob: ${addressesOf(request).slice(1).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const securityHeaders = (request: FastifyRequest, styles = "'self'"): Record<string, string> => ({
  'content-security-policy': policy(request, styles),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Otherwise Chromium looks up the hosts of links when it draws them, and a reply could leak text that way.
  'x-dns-prefetch-control': 'off',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});

/**
 * Diagrams and web pages from messages are shown in a frame of their own, which has no origin and can load nothing but its
 * own two scripts. The page sends it what to show.
 */
const sealedHeaders = (request: FastifyRequest): Record<string, string> => ({
  ...securityHeaders(request),
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    // By name: without an origin, WebKit takes nothing to be 'self'.
    `script-src ${addressesOf(request)[0]}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${addressesOf(request).join(' ')}`,
  ].join('; '),
  // Without an origin, its own scripts are cross-origin.
  'cross-origin-resource-policy': 'cross-origin',
});

/** Where the page is, and what it is a page of. */
export interface PageDeps {
  /** Folder of the built chat page; null: none. */
  pageDir: string | null;
  /** The data folder, as an absolute path. */
  dataDir: string;
}

/** The settings that must be right at the first paint. */
type Appearance = Pick<Settings, 'theme' | 'textSize'>;

/**
 * Serves the files in `pageDir`, with the chat page at `/` and the API's reference at `/docs`. Without a folder, or before
 * it is built, both say how to build it.
 */
export function setupPageRoute(app: App, { pageDir, dataDir }: PageDeps, appearance: () => Appearance): void {
  const servePage = (path: string, file: string, styles: string): void =>
    void app.get(path, async (request, reply) => {
      reply.headers(securityHeaders(request, styles)).header('cache-control', 'no-cache');
      const page = await read(pageDir, file);
      if (page === null) return reply.code(404).type('text/plain; charset=utf-8').send(NOT_BUILT);
      return send(reply, file, completed(page, appearance(), serveCommand(dataDir)));
    });
  servePage('/', 'index.html', "'self'");
  // Scalar writes its styles into the page.
  servePage('/docs', 'docs/index.html', "'self' 'unsafe-inline'");
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*'];
    const file = FILE_PATH.test(path) ? await read(pageDir, path) : null;
    if (file === null) {
      reply.callNotFound();
      return reply;
    }
    // Files that the build names by their content never change; others are revalidated.
    const isNamedByContent = path.startsWith('assets/');
    reply
      .headers(path.startsWith('sealed/') ? sealedHeaders(request) : securityHeaders(request))
      .header('cache-control', isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
    return send(reply, path, file);
  });
}

/**
 * Puts the theme into the page itself, since a script would set it only after the first paint, and the command that prints a new link,
 * which a page without a session needs.
 */
function completed(page: Buffer, { theme, textSize }: Appearance, command: string): Buffer {
  const attributes = `data-theme="${theme}" data-text-size="${textSize}" data-serve-command="${escapeHtml(command)}"`;
  return Buffer.from(page.toString('utf8').replace('<html ', () => `<html ${attributes} `));
}

/** What starts a service on that folder, or prints a new link of the one that runs there. */
export function serveCommand(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const command = 'npm run serve';
  if (dataDir === defaultDataDir()) return command;
  return `${command} -- --data-dir ${/^[\w./-]+$/.test(dataDir) ? dataDir : quotePath(dataDir, platform)}`;
}

const send = (reply: FastifyReply, path: string, file: Buffer): FastifyReply =>
  reply.type(TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream').send(file);

/** Files that are being read or sent: however many clients read one, perhaps slowly, it is in memory once. */
const shared = new Map<string, WeakRef<Promise<Buffer>>>();
const held = new WeakMap<Buffer, Promise<Buffer>>();

async function read(pageDir: string | null, path: string): Promise<Buffer | null> {
  if (pageDir === null) return null;
  try {
    const file = join(pageDir, path);
    const { mtimeMs, size } = await stat(file);
    const version = `${file} ${mtimeMs} ${size}`;
    const reading = shared.get(version)?.deref() ?? readFile(file);
    shared.set(version, new WeakRef(reading));
    const bytes = await reading;
    held.set(bytes, reading);
    return bytes;
  } catch {
    return null;
  }
}
