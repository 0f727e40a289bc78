import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isKeyText } from '../auth/keys.ts';
import { filesDirOf } from '../files/file-store.ts';
import { createBlobFolder } from '../store/blob-folder.ts';
import { listBlobs } from '../store/file-repository.ts';
import { diskErrorCode, nodeDisk } from '../store/disk.ts';
import { listFolder } from '../store/folder.ts';
import { loadStore } from '../store/load.ts';
import type { LoadedStore } from '../store/replay.ts';
import { readSettings } from '../store/settings-repository.ts';
import { StoreOpenError } from '../store/store-error.ts';
import { quoted } from './doctor-files.ts';
import { type Finding, findingsOf } from './finding.ts';
import { count, sizeOf } from './terminal.ts';

/** Checks the store's files and the keys while no service uses them; `port`: from the settings, null: none. */
export async function lookAtStore(dataDir: string): Promise<{ findings: Finding[]; port: number | null }> {
  const dir = join(dataDir, 'store');
  const aside = await lookAtSetAside(dir);
  let loaded: LoadedStore;
  try {
    loaded = await loadStore(nodeDisk(), dir);
  } catch (error) {
    return { findings: [unreadable(dataDir, error), ...aside], port: null };
  }
  try {
    return {
      findings: [
        soundness(dir, loaded),
        ...aside,
        await lookAtMessageFiles(dataDir, loaded),
        await lookAtLocalKey(dataDir),
      ],
      port: readSettings(loaded.database).port,
    };
  } catch {
    // A store without any file has no tables yet.
    return { findings: [soundness(dir, loaded), ...aside], port: null };
  } finally {
    loaded.database.close();
  }
}

function unreadable(dataDir: string, error: unknown): Finding {
  const { problem } = findingsOf('Store');
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreOpenError && error.reason === 'newer') return problem(message, 'Update Parley.');
  const code = diskErrorCode(error);
  if (code !== '') {
    const dir = quoted(join(dataDir, 'store'));
    const advice =
      process.platform !== 'win32' && /^E(ACCES|PERM)$/.test(code)
        ? `chmod -R u+rwX ${dir}`
        : 'Check the disk, and copy the folder while it can be read.';
    return problem(`${dir} can't be read (${code}).`, advice);
  }
  return problem(
    message,
    `Copy ${dataDir} somewhere safe first. Then move ${join(dataDir, 'store')} away, start Parley, and restore the newest backup: parley restore last`,
  );
}

function soundness(dir: string, { damaged, damagedLogs, missing }: LoadedStore): Finding {
  const { ok, problem } = findingsOf('Store');
  const files = [...damaged, ...damagedLogs].map(({ path }) => path);
  if (files.length === 0 && missing === 0) return ok(`${dir} is intact.`);
  const loss =
    missing === 0
      ? 'nothing is lost'
      : `${count(missing, 'change')} can’t be read and may be missing from chats or settings`;
  return problem(
    `Damaged: ${files.join(', ') || dir}; ${loss}.`,
    `Copy ${dir} somewhere safe and check the disk. The next start repairs the store, keeps the damaged file beside it, and loses no more than that; parley restore last restores what is in the backup.`,
  );
}

async function lookAtSetAside(dir: string): Promise<Finding[]> {
  const { setAside } = await listFolder(nodeDisk(), dir).catch(() => ({ setAside: [] as string[] }));
  if (setAside.length === 0) return [];
  return [
    findingsOf('Set aside').warning(
      `Earlier damage: ${setAside.join(', ')} in ${dir}.`,
      'Everything readable in them is in the store. Delete these files once you are sure that nothing is missing.',
    ),
  ];
}

/** Checks that the bytes of all messages' files are there, with the right size. */
async function lookAtMessageFiles(dataDir: string, { database }: LoadedStore): Promise<Finding> {
  const { ok, problem } = findingsOf('Files');
  const folder = createBlobFolder(nodeDisk(), filesDirOf(dataDir));
  const blobs = listBlobs(database);
  let lost = 0;
  for (const { sha256, bytes } of blobs) {
    const file = await folder.open(sha256, bytes);
    if (file === null) lost += 1;
    else await file.close();
  }
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0);
  if (lost === 0)
    return ok(
      blobs.length === 0
        ? 'No message has files.'
        : `${count(blobs.length, 'file')} of messages, ${sizeOf(bytes)}, none missing.`,
    );
  return problem(
    `${lost} of ${count(blobs.length, 'file')} of messages are missing from ${filesDirOf(dataDir)}, or incomplete.`,
    'If you moved them, put them back. Otherwise parley restore last restores those in the backup.',
  );
}

async function lookAtLocalKey(dataDir: string): Promise<Finding> {
  const { ok, warning } = findingsOf('Local key');
  const text = await readFile(join(dataDir, 'local-key'), 'utf8').catch(() => '');
  return isKeyText(text.trim())
    ? ok('It is there.')
    : warning(
        'Its file is missing or invalid.',
        'The next start creates a new one; programs that use the old one need the new one.',
      );
}
