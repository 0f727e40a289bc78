/** What becomes of another app's export, without a store. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportApp, OmittedParts, FileFindings } from '../../shared/api/data.ts';
import { createFindings } from '../../server/data/findings.ts';
import type { ReadChat } from '../../server/data/read-chat.ts';
import { openImport } from '../../server/data/read-import.ts';
import { createTempDir } from './service.ts';

/** An export as it is read. */
export interface ReadExport {
  app: ImportApp;
  omitted: OmittedParts | undefined;
  chats: ReadChat[];
  found: FileFindings;
}

/** Reads an export: bytes, text, or what becomes JSON. */
export async function readExport(file: unknown): Promise<ReadExport> {
  const bytes = Buffer.isBuffer(file)
    ? file
    : Buffer.from(typeof file === 'string' ? file : JSON.stringify(file));
  const path = join(await createTempDir(), 'import');
  await writeFile(path, bytes);
  const findings = createFindings();
  const source = await openImport(path);
  const chats: ReadChat[] = [];
  for await (const part of source.parts(findings)) if ('chat' in part) chats.push(part.chat);
  return { app: source.app, omitted: source.omitted, chats, found: findings.found };
}

/** The messages of the first chat in an export. */
export const messagesIn = async (file: unknown): Promise<ReadChat['messages']> =>
  (await readExport(file)).chats[0]?.messages ?? [];
