import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { COMPILE_CACHE } from './tests/support/bundled.ts';
import { seekBundles } from './tests/support/run/bundle.ts';

export default defineConfig({
  // State classes of the page are written with runes.
  plugins: [svelte({ configFile: false, compilerOptions: { runes: true } }), seekBundles()],
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: './tests/support/run/bundle.ts',
    // Code that another process has compiled already is not compiled again.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    // Processes, sockets and disks are real here: a slow machine must not look like a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    // They wait for timers, processes and disks a good part of the time. Vitest would leave one core out, which on two is half of them.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
});
