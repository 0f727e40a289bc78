/** Asking the process that owns a data folder for a link to its chat page, as the same person may who can read the folder. */
import type { PageLink } from '../../../shared/api/session.ts';
import { isSameServer } from '../../auth/check-server.ts';
import { readConnection } from './connection-file.ts';

const WAIT_MS = 2_000;
/** What may reach a browser or a terminal: an address in plain characters, of bounded length. */
const LINK = /^[\w:/.#=&%~-]{1,500}$/;

/** A link that opens the owner's chat page signed in, once. Null when there is no owner, or it doesn't answer in 2 s. */
export async function linkOfOwner(dataDir: string): Promise<string | null> {
  try {
    const connection = await readConnection(dataDir);
    if (connection === null) return null;
    const { baseUrl, apiKey, publicKey } = connection;
    const signal = AbortSignal.timeout(WAIT_MS);
    // The key goes to nobody else, whatever stands in the file and whoever has the port.
    if (!(await isSameServer(baseUrl, publicKey, signal))) return null;
    const answer = await fetch(`${baseUrl}/api/v1/page-link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      redirect: 'error',
      signal,
    });
    if (!answer.ok) return null;
    const { pageUrl } = (await answer.json()) as Partial<PageLink>;
    return typeof pageUrl === 'string' && pageUrl.startsWith(`${baseUrl}/#`) && LINK.test(pageUrl)
      ? pageUrl
      : null;
  } catch {
    return null;
  }
}
