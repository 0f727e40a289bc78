import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './tests/support/bundled.ts';
import { MANY_STORES } from './tests/support/many-stores.ts';
import { seekBundles } from './tests/support/run/bundle.ts';

/** Files whose tests replace modules, import them anew, or measure their process. The others share a process with many files. */
const OWN_PROCESS = [
  'tests/faults/slow-patterns.test.ts',
  'tests/renderer/lib/times.test.ts',
  'tests/server/contract-locked-out.test.ts',
  'tests/server/lib/held-files.test.ts',
  'tests/server/lib/private-file.test.ts',
  'tests/server/long-chats.test.ts',
  'tests/server/schedules/runner.test.ts',
  'tests/server/tools/text.test.ts',
];

export default defineConfig({
  // State classes of the page are written with runes.
  plugins: [svelte({ configFile: false, compilerOptions: { runes: true } }), seekBundles()],
  test: {
    projects: [
      { test: { name: 'own process', include: OWN_PROCESS } },
      { test: { name: 'shared', include: ['tests/**/*.test.ts'], exclude: OWN_PROCESS, isolate: false } },
    ],
    globalSetup: './tests/support/run/bundle.ts',
    // Code that another process has compiled already is not compiled again.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    // Processes, sockets and disks are real here: a slow machine must not look like a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    execArgv: MANY_STORES,
    // They wait for timers, processes and disks a good part of the time: on two cores, two workers would leave half of them idle.
    maxWorkers: availableParallelism() * 2,
  },
});
