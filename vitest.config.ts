import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Processes, sockets and disks are real here: a slow machine must not look like a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
