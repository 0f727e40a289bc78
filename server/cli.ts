#!/usr/bin/env node
/** The program: runs the command that is named, or the service if none is. */
import { defaultCacheDir } from './config.ts';
import { enableCompileCache } from './process/compile-cache.ts';
import { growThreadPool } from './process/thread-pool.ts';

growThreadPool();
enableCompileCache(import.meta.url, defaultCacheDir());
const { runCommand } = await import('./cli/main.ts');
process.exitCode = await runCommand(process.argv.slice(2), import.meta.url);
