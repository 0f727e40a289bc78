import { describe, expect, it } from 'vitest';
import { toAccelerator } from '../../electron/accelerators.ts';

describe('an accelerator', () => {
  it.each([
    ['mod+k', 'CommandOrControl+K'],
    ['mod+shift+o', 'CommandOrControl+Shift+O'],
    ['mod+shift+space', 'CommandOrControl+Shift+Space'],
    ['mod+alt+1', 'CommandOrControl+Alt+1'],
    ['alt+up', 'Alt+Up'],
    ['mod+shift+backspace', 'CommandOrControl+Shift+Backspace'],
    ['mod+,', 'CommandOrControl+,'],
    ['mod+.', 'CommandOrControl+.'],
    ['f2', 'F2'],
    ['shift+f12', 'Shift+F12'],
  ])('of %s is %s', (shortcut, accelerator) => {
    expect(toAccelerator(shortcut)).toBe(accelerator);
  });

  it.each(['?', '/', 'k', 'shift+k', 'up', 'escape', 'shift+escape'])(
    'is not made of %s, which somebody who types needs',
    (shortcut) => {
      expect(toAccelerator(shortcut)).toBeNull();
    },
  );

  it.each(['', 'mod+', 'hyper+k', 'mod+nonsense'])('is not made of %j, which names no key', (shortcut) => {
    expect(toAccelerator(shortcut)).toBeNull();
  });
});
