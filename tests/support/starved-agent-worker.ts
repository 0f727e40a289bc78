/** The agent worker of tests, which finds no file descriptor to start with while the file named by `STARVED_WHILE` is there. */
import { existsSync } from 'node:fs';

if (existsSync(process.env['STARVED_WHILE'] ?? '')) throw new Error('Worker initialization failure: EMFILE');
await import('./agent-worker.ts');
