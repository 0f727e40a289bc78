import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A rule for whatever stands behind something: `a + *`, `a ~ :not(b)`. */
const WHATEVER_BEHIND = /[^\s(]\s*[+~]\s*(?::global\()?(?:\*|:(?!global\())[^{};]*\{/g;

test('no rule is for whatever stands behind something: beside formulas, each insertion would restyle all around it', () => {
  const files = globSync('renderer/**/*.{svelte,css}');
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const styles = file.endsWith('.css') ? text : (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? '');
    return (styles.replaceAll(/\/\*[^]*?\*\//g, '').match(WHATEVER_BEHIND) ?? []).map(
      (rule) => `${file}: ${rule}`,
    );
  });
  expect(found).toEqual([]);
});
