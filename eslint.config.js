import { fileURLToPath } from 'node:url';
import globals from 'globals';
import { componentParser } from './tests/support/run/component-parser.ts';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { IMPORTS, ROWS_ARE_NO_LINES, SIGNALS, WORN_OUT_IN_WINDOW } from './oxlint.config.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Components, and Svelte's own rules: oxlint checks all other files, in a tenth of the time (oxlint.config.ts). */
export default tseslint.config(
  {
    ignores: [
      '**/*.ts',
      '!**/*.svelte.ts',
      'out/',
      'dist/',
      'coverage/',
      'test-results/',
      'playwright-report/',
      // A build writes and removes it while lint runs.
      'electron.vite.config.ts.*',
    ],
  },
  ...tseslint.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.node } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: 'error',
      // There are no stores, only runes; looking for some takes seconds.
      'svelte/require-store-reactive-access': 'off',
    },
  },
  {
    files: ['renderer/**'],
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      'no-restricted-properties': ['error', ...SIGNALS],
      'no-restricted-syntax': ['error', WORN_OUT_IN_WINDOW, ROWS_ARE_NO_LINES],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: componentParser } },
  },
  {
    files: ['**/*.svelte'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.components.json'],
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      ...tseslint.configs.strictTypeCheckedOnly.at(-1).rules,
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
    },
  },
  ...IMPORTS.map(({ files, patterns }) => ({
    files,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  })),
  { files: ['server/examples/*.mjs'], rules: { 'no-console': 'off' } },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
