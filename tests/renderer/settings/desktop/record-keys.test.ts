import { expect, test } from 'vitest';
import { UpdateSettingsBody } from '../../../../shared/api/settings.ts';
import { Check } from 'typebox/value';
import { recordKeys } from '../../../../renderer/settings/desktop/record-keys.ts';
import { matches, type KeyPress } from '../../../../renderer/lib/shortcuts.ts';

const press = (key: string, held: string[] = [], code = ''): KeyPress => ({
  key,
  code,
  ctrlKey: held.includes('ctrl'),
  metaKey: held.includes('meta'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
});

test('keys are written down as settings take them and as they match again', () => {
  const cases: [KeyPress, string, boolean][] = [
    [press(' ', ['ctrl', 'shift'], 'Space'), 'mod+shift+space', false],
    [press(' ', ['meta', 'shift'], 'Space'), 'mod+shift+space', true],
    [press('\u00a0', ['alt'], 'Space'), 'alt+space', true],
    [press('P', ['ctrl', 'alt', 'shift'], 'KeyP'), 'mod+alt+shift+p', false],
    [press('π', ['alt'], 'KeyP'), 'alt+p', true],
    [press('!', ['ctrl', 'shift'], 'Digit1'), 'mod+shift+1', false],
    [press('Dead', ['alt'], 'KeyN'), 'alt+n', true],
    [press('F9', ['alt'], 'F9'), 'alt+f9', false],
  ];
  for (const [pressed, shortcut, mac] of cases) {
    expect(recordKeys(pressed, mac), shortcut).toEqual({ shortcut });
    expect(Check(UpdateSettingsBody, { quickAskShortcut: shortcut }), shortcut).toBe(true);
  }
  expect(matches('mod+shift+space', press(' ', ['ctrl', 'shift'], 'Space'), false)).toBe(true);
});

test('keys that can’t work everywhere are told apart', () => {
  expect(recordKeys(press('Control', ['ctrl']), false)).toEqual({ trouble: 'unfinished' });
  expect(recordKeys(press('Shift', ['shift']), false)).toEqual({ trouble: 'unfinished' });
  expect(recordKeys(press('a'), false)).toEqual({ trouble: 'not_held' });
  expect(recordKeys(press('A', ['shift']), false)).toEqual({ trouble: 'not_held' });
  expect(recordKeys(press('F5'), false)).toEqual({ trouble: 'not_held' });
  expect(recordKeys(press('k', ['meta']), false)).toEqual({ trouble: 'other_held' });
  expect(recordKeys(press('k', ['ctrl', 'meta']), true)).toEqual({ trouble: 'other_held' });
  expect(recordKeys(press('ArrowUp', ['ctrl']), false)).toEqual({ trouble: 'other_key' });
  expect(recordKeys(press('Enter', ['ctrl']), false)).toEqual({ trouble: 'other_key' });
});
