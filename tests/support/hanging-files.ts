/**
 * A process with file work that hangs: `node hanging-files.ts PIPE COUNT`, where nobody ever writes to the pipe. Prints what
 * it reads from a file meanwhile, then ends itself.
 */
import { open, readFile } from 'node:fs/promises';
import { endProcess, growThreadPool } from '../../server/process/thread-pool.ts';

const [, , pipe = '', count = '0'] = process.argv;
growThreadPool();
for (let at = 0; at < Number(count); at += 1) void open(pipe, 'r');
console.log((await readFile(import.meta.filename)).length > 0 ? 'read' : 'nothing');
await endProcess(0);
