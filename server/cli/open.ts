/** `parley open`: opens the chat page, signed in. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { PageLink } from '../../shared/api/session.ts';
import { writePrivateFile } from '../lib/private-file.ts';
import { type Client, connect, type ListOptions, type RequestParts } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { hint, note, say, sayJson } from './terminal.ts';

/** Options of the command. */
export interface OpenCommandOptions extends ListOptions {
  /** Opens nothing. */
  print?: true;
}

/** Opens the page in the browser; prints the link on request, or if no browser can be opened with it. */
export async function openPage(options: OpenCommandOptions): Promise<void> {
  const client = await connect(options);
  const pageUrl = await createLink(client);
  if (options.json) sayJson({ pageUrl });
  else if (options.print || !(await openBrowser(pageUrl, options.dataDir))) {
    say(pageUrl);
    hint('The link works once.');
  } else {
    note(`Opened ${client.baseUrl} in the browser.`);
    hint('If the browser can’t read the file, as some sandboxed ones can’t, use parley open --print.');
  }
}

async function createLink(client: Client, parts?: RequestParts): Promise<string> {
  const link = await client.post<Partial<PageLink> | null>('/api/v1/page-link', parts);
  const pageUrl = String(link?.pageUrl);
  // What goes to a browser or a terminal is an address of the service in plain characters, whoever answers.
  if (pageUrl.startsWith(`${client.baseUrl}/#`) && /^[\w:/.#=&%~-]+$/.test(pageUrl)) return pageUrl;
  throw new CommandError('The service returned no link to its page.');
}

/** How long to wait for the link of an owner. */
const LINK_MS = 2_000;

/** A link that opens the chat page of the folder's owner signed in, once; null: there is none, or it doesn't answer. */
export const linkOfOwner = (dataDir: string): Promise<string | null> =>
  connect({ dataDir })
    .then((client) => createLink(client, { signal: AbortSignal.timeout(LINK_MS) }))
    .catch(() => null);

/** As {@link linkOfOwner}, for a program that is to open it: the URL of a file that leads to the page. */
export async function pageFileOfOwner(dataDir: string): Promise<string | null> {
  const link = await linkOfOwner(dataDir);
  return link === null ? null : writePageFile(dataDir, link);
}

const PAGE_FILE = 'open.html';

/** The URL of a file that sends the browser on to the link: everybody can see a program's arguments, only the owner can read the file. */
async function writePageFile(dataDir: string, pageUrl: string): Promise<string> {
  const path = join(dataDir, PAGE_FILE);
  const page = `<!doctype html><title>Parley</title><meta http-equiv="refresh" content="0;url=${pageUrl}"><a href="${pageUrl}">Parley</a>\n`;
  await writePrivateFile(path, page);
  return pathToFileURL(path).href;
}

/** On some systems the opener ends only with the browser: if it runs this long, it has found one. */
const OPENER_MS = 2_000;

/** Whether the system accepted the page. */
async function openBrowser(pageUrl: string, dataDir: string): Promise<boolean> {
  const command = browserCommand();
  const url = command === null ? null : await writePageFile(dataDir, pageUrl).catch(() => null);
  if (command === null || url === null) return false;
  const [program = '', ...args] = command;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  const opened = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  const found = await Promise.race([opened, sleep(OPENER_MS, true, { ref: false })]);
  child.unref();
  return found;
}

/** Null: there is no screen. */
function browserCommand(): string[] | null {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = process.env;
  return DISPLAY + WAYLAND_DISPLAY === '' ? null : ['xdg-open'];
}
