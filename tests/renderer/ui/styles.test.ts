import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A rule for whatever stands behind something: `a + *`, `a ~ :not(b)`. */
const WHATEVER_BEHIND = /[^\s(]\s*[+~]\s*(?::global\()?(?:\*|:(?!global\())[^{};]*\{/g;
/** A rule for what stands behind something. */
const BEHIND = /[^\s(]\s*[+~]\s*[^{};=]*\{/g;

function rulesLike(pattern: RegExp, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const styles = file.endsWith('.css') ? text : (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? '');
    const rules = styles.replaceAll(/\/\*[^]*?\*\//g, '').match(pattern) ?? [];
    return rules.map((rule) => `${file}: ${rule}`);
  });
}

test('no rule is for whatever stands behind something: beside formulas, each insertion would restyle all around it', () => {
  const files = globSync('renderer/**/*.{svelte,css}');
  expect(files.length).toBeGreaterThan(100);
  expect(rulesLike(WHATEVER_BEHIND, files)).toEqual([]);
});

test('no rule of messages is for what stands behind something: each slice of a table would restyle all its formulas', () => {
  const files = globSync('renderer/markdown/*.svelte');
  expect(files.length).toBeGreaterThan(5);
  expect(rulesLike(BEHIND, files)).toEqual([]);
});
