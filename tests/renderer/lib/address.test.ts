import { expect, test } from 'vitest';
import {
  chatIn,
  fragmentOf,
  fragmentTo,
  listedSections,
  placeIn,
  type Place,
} from '../../../renderer/lib/address.ts';

test('every place leads back to itself, whatever its ids are', () => {
  const places: Place[] = [
    { view: 'chat', chatId: null },
    { view: 'chat', chatId: 'a/b %?#' },
    { view: 'chat', chatId: 'a', messageId: 'b/c' },
    { view: 'settings', section: 'api' },
  ];
  for (const place of places) expect(placeIn(fragmentTo(place))).toEqual(place);
  expect(chatIn(fragmentOf('a/b %?#'))).toBe('a/b %?#');
});

test('anything else is a new chat', () => {
  for (const fragment of ['', '#', '#/', '#/chats/', '#/chats/a/b/c', '#/chats/%', '#/other/a', '#token=x']) {
    expect(placeIn(fragment), fragment).toEqual({ view: 'chat', chatId: null });
  }
});

test('the settings open at their first section when none or an unknown one is named', () => {
  for (const fragment of ['#/settings', '#/settings/nowhere']) {
    expect(placeIn(fragment)).toEqual({ view: 'settings', section: 'appearance' });
  }
});

test('the desktop section is one of the desktop app; elsewhere its address leads to the general one', () => {
  expect(placeIn('#/settings/desktop', true)).toEqual({ view: 'settings', section: 'desktop' });
  expect(placeIn('#/settings/desktop', false)).toEqual({ view: 'settings', section: 'general' });
  expect(listedSections(true)).toContain('desktop');
  expect(listedSections(false)).not.toContain('desktop');
});
