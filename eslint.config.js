import { fileURLToPath } from 'node:url';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Keeps one folder from importing others of ours: what holds headless mode and the tests honest. */
const mayNotImport = (files, folders, extra = []) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...folders.map((folder) => ({
            regex: `^(\\.\\./)+${folder}/`,
            message: `Nothing here may import ${folder}/.`,
          })),
          ...extra,
        ],
      },
    ],
  },
});

const onlyDatabaseImportsSqlJs = {
  regex: '^sql\\.js',
  message: 'Only server/store/database.ts imports sql.js.',
};

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'coverage/', 'test-results/', 'playwright-report/'] },
  ...tseslint.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.node },
      parserOptions: {
        project: ['./tsconfig.node.json', './tsconfig.web.json'],
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['renderer/**', 'tests/renderer/**'],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
  },
  mayNotImport(['shared/**'], ['server', 'renderer', 'electron', 'tests'], [onlyDatabaseImportsSqlJs]),
  mayNotImport(['server/**'], ['renderer', 'electron', 'tests'], [onlyDatabaseImportsSqlJs]),
  mayNotImport(['renderer/**'], ['server', 'electron', 'tests'], [onlyDatabaseImportsSqlJs]),
  mayNotImport(['electron/**'], ['renderer', 'tests'], [onlyDatabaseImportsSqlJs]),
  mayNotImport(['server/store/database.ts'], ['renderer', 'electron', 'tests']),
  {
    files: ['server/cli.ts', 'server/launch.ts', 'tests/run.ts', 'tests/bench/**', 'tests/support/**'],
    rules: { 'no-console': 'off' },
  },
  { files: ['eslint.config.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
