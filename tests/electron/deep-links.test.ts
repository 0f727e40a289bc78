import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLink } from '../../electron/deep-links.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { anyCharacter } from '../support/any-character.ts';

describe('a link', () => {
  it('opens a chat', () => {
    expect(parseLink('parley://chat/0b6e-12')).toEqual({ kind: 'chat', chatId: '0b6e-12' });
    expect(parseLink('PARLEY://Chat/abc/')).toEqual({ kind: 'chat', chatId: 'abc' });
    expect(parseLink('parley://chat/a%20b')).toEqual({ kind: 'chat', chatId: 'a b' });
  });

  it('opens a new chat, with text or without', () => {
    expect(parseLink('parley://new')).toEqual({ kind: 'new', text: '' });
    expect(parseLink('parley://new/?text=two%0Alines+%26+more')).toEqual({
      kind: 'new',
      text: 'two\nlines & more',
    });
  });

  it('brings only text that can be seen, in its own order', () => {
    const hidden = '\0\x1b[31m\u202e\u2066\u200b\u{e0041}\u{e0042}\ufeff';
    expect(
      parseLink(`parley://new?text=${encodeURIComponent(`a${hidden}b\tc\r\nd 👨‍👩‍👧 ❤️ نیم‌فاصله`)}`),
    ).toEqual({
      kind: 'new',
      text: 'a[31mb\tc\nd 👨‍👩‍👧 ❤️ نیم‌فاصله',
    });
  });

  it('brings no more text than a message may have, and cuts no character in two', () => {
    const target = parseLink(
      `parley://new?text=${encodeURIComponent('😀'.repeat(MAX_CONTENT_CHARACTERS + 5))}`,
    );
    expect(target).toEqual({ kind: 'new', text: '😀'.repeat(MAX_CONTENT_CHARACTERS) });
  });

  it.each([
    'https://chat/1',
    'parley:chat/1',
    'parley://chat',
    'parley://chat/',
    'parley://chat/%ff',
    `parley://chat/${'a'.repeat(201)}`,
    'parley://settings',
    'parley://new/now?text=a',
    'file:///etc/passwd',
    'nonsense',
    '',
  ])('that says nothing to be done is followed nowhere: %s', (address) => {
    expect(parseLink(address)).toBeNull();
  });

  it('never throws, and leads to one of its two places or nowhere, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.constantFrom('', 'parley:', 'parley://', 'parley://new?'),
        (rest, start) => {
          const target = parseLink(start + rest);
          expect([undefined, 'chat', 'new']).toContain(target?.kind);
        },
      ),
    );
  });
});
