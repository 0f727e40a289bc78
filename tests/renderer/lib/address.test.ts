import { expect, test } from 'vitest';
import {
  chatIn,
  fragmentOf,
  fragmentTo,
  listedSections,
  routeIn,
  type PageAddress,
} from '../../../renderer/lib/address.ts';

test('every route leads back to itself, whatever its ids are', () => {
  const routes: PageAddress[] = [
    { view: 'chat', chatId: null },
    { view: 'chat', chatId: 'a/b %?#' },
    { view: 'chat', chatId: 'a', messageId: 'b/c' },
    { view: 'settings', section: 'api' },
  ];
  for (const route of routes) expect(routeIn(fragmentTo(route))).toEqual(route);
  expect(chatIn(fragmentOf('a/b %?#'))).toBe('a/b %?#');
});

test('anything else is a new chat', () => {
  for (const fragment of ['', '#', '#/', '#/chats/', '#/chats/a/b/c', '#/chats/%', '#/other/a', '#token=x']) {
    expect(routeIn(fragment), fragment).toEqual({ view: 'chat', chatId: null });
  }
});

test('the settings open at their first section when none or an unknown one is named', () => {
  for (const fragment of ['#/settings', '#/settings/nowhere']) {
    expect(routeIn(fragment)).toEqual({ view: 'settings', section: 'appearance' });
  }
});

test('the desktop section is one of the desktop app; elsewhere its address leads to the general one', () => {
  expect(routeIn('#/settings/desktop', true)).toEqual({ view: 'settings', section: 'desktop' });
  expect(routeIn('#/settings/desktop', false)).toEqual({ view: 'settings', section: 'general' });
  expect(listedSections(true)).toContain('desktop');
  expect(listedSections(false)).not.toContain('desktop');
});
