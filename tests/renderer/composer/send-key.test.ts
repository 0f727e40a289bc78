import { expect, test } from 'vitest';
/* oxlint-disable typescript/no-deprecated -- the only sign of a composition's end in Safari */
import { sends, type BoxKey } from '../../../renderer/composer/send-key.ts';

const press = (change: Partial<BoxKey> = {}): BoxKey => ({
  key: 'Enter',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 13,
  ...change,
});

test('Enter sends and Shift+Enter does not, unless set otherwise', () => {
  expect(sends(press(), 'enter')).toBe(true);
  expect(sends(press({ shiftKey: true }), 'enter')).toBe(false);
  expect(sends(press(), 'mod_enter')).toBe(false);
});

test('Ctrl or Cmd with Enter always sends', () => {
  for (const key of ['enter', 'mod_enter'] as const) {
    expect(sends(press({ ctrlKey: true }), key)).toBe(true);
    expect(sends(press({ metaKey: true }), key)).toBe(true);
  }
});

test('the Enter that ends a composition is not for the message', () => {
  expect(sends(press({ isComposing: true }), 'enter')).toBe(false);
  expect(sends(press({ keyCode: 229 }), 'enter')).toBe(false);
  expect(sends(press({ isComposing: true, ctrlKey: true }), 'mod_enter')).toBe(false);
});
