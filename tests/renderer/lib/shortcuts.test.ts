import { expect, test } from 'vitest';
import {
  ariaKeys,
  findByPress,
  isMac,
  keysShown,
  matches,
  type KeyPress,
} from '../../../renderer/lib/shortcuts.ts';

const press = (key: string, held: string[] = [], code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

test('mod is Ctrl, and on a Mac Cmd, and never both', () => {
  expect(matches('mod+k', press('k', ['ctrl']), false)).toBe(true);
  expect(matches('mod+k', press('k', ['meta']), false)).toBe(false);
  expect(matches('mod+k', press('k', ['meta']), true)).toBe(true);
  expect(matches('mod+k', press('k', ['ctrl']), true)).toBe(false);
  expect(matches('mod+k', press('k', ['ctrl', 'meta']), true)).toBe(false);
});

test('what is held must be exactly what is wanted', () => {
  expect(matches('mod+shift+o', press('O', ['ctrl', 'shift']), false)).toBe(true);
  expect(matches('mod+shift+o', press('o', ['ctrl']), false)).toBe(false);
  expect(matches('mod+k', press('K', ['ctrl', 'shift']), false)).toBe(false);
  expect(matches('alt+down', press('ArrowDown', ['alt']), false)).toBe(true);
  expect(matches('alt+down', press('ArrowDown'), false)).toBe(false);
});

test('function keys work while text is typed, and keys that type do not', () => {
  const rename = { shortcut: 'f2' };
  expect(findByPress([rename], press('F2'), false, true)).toBe(rename);
  expect(findByPress([{ shortcut: '?' }], press('?', ['shift']), false, true)).toBeNull();
});

test('a sign is itself, whether the layout needs Shift for it or not', () => {
  expect(matches('?', press('?', ['shift']), false)).toBe(true);
  expect(matches('/', press('/', ['shift']), false)).toBe(true);
  expect(matches('mod+,', press(',', ['ctrl']), false)).toBe(true);
});

test('letters go by the key’s place where the layout has other letters', () => {
  expect(matches('mod+k', press('л', ['ctrl'], 'KeyK'), false)).toBe(true);
  expect(matches('mod+k', press('˚', ['meta'], 'KeyK'), true)).toBe(true);
  // On a Dvorak keyboard the place of K gives T, and T is meant.
  expect(matches('mod+k', press('t', ['ctrl'], 'KeyK'), false)).toBe(false);
});

test('while text is typed only what is held with Ctrl, Cmd or Alt does anything', () => {
  const commands = [
    { id: 'help', shortcut: '?' },
    { id: 'search', shortcut: 'mod+shift+f', aliases: ['/'] },
    { id: 'next', shortcut: 'alt+down' },
    { id: 'none' },
  ];
  const found = (key: KeyPress, typing: boolean): string | undefined =>
    findByPress(commands, key, false, typing)?.id;
  expect(found(press('?', ['shift']), false)).toBe('help');
  expect(found(press('?', ['shift']), true)).toBeUndefined();
  expect(found(press('/'), false)).toBe('search');
  expect(found(press('/'), true)).toBeUndefined();
  expect(found(press('F', ['ctrl', 'shift']), true)).toBe('search');
  expect(found(press('ArrowDown', ['alt']), true)).toBe('next');
  expect(found(press('x'), false)).toBeUndefined();
});

test('shortcuts are shown as the platform writes them', () => {
  expect(keysShown('mod+shift+o', false)).toEqual(['Ctrl', 'Shift', 'O']);
  expect(keysShown('mod+shift+o', true)).toEqual(['⇧', '⌘', 'O']);
  expect(keysShown('alt+up', false)).toEqual(['Alt', '↑']);
  expect(keysShown('f2', false)).toEqual(['F2']);
  expect(keysShown('?', true)).toEqual(['?']);
  expect(ariaKeys('mod+shift+o', false)).toBe('Control+Shift+O');
  expect(ariaKeys('alt+up', true)).toBe('Alt+ArrowUp');
  expect([isMac('MacIntel'), isMac('macOS'), isMac('Win32'), isMac('Linux x86_64')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
