import { describe, expect, test } from 'vitest';
import { IncrementalMarkdown } from '../../../renderer/markdown/incremental-markdown.ts';
import { parseMarkdown } from '../support/parse-markdown.ts';
import { shownParts } from '../support/shown-parts.ts';
import { EMPHASIS, LINKS, PIECES, TILDES_AND_DOLLARS, type WrittenText } from '../support/written-texts.ts';

describe.each<[string, readonly WrittenText[]]>([
  ['emphasis', EMPHASIS],
  ['bare addresses', LINKS],
  ['tildes and dollars', TILDES_AND_DOLLARS],
  ['whole pieces', PIECES],
])('%s', (_name, texts) => {
  test.each(texts)('%j', (written, shown) => {
    const tree = parseMarkdown(written);
    expect(shownParts(tree)).toEqual([...shown].sort());
    const growing = new IncrementalMarkdown();
    for (let end = 1; end <= written.length; end += 1) growing.update(written.slice(0, end));
    expect(growing.update(written)).toEqual(tree);
  });
});
