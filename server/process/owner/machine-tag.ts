import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Eight hex digits for this computer, the same after a restart of it. */
export async function machineTag(): Promise<string> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  return hash('sha256', id.trim() === '' ? hostname() : id, 'hex').slice(0, 8);
}
