/** Turns Parley's shortcuts (`mod+shift+o`) into Electron's accelerators (`CommandOrControl+Shift+O`). */

const MODIFIERS: Readonly<Record<string, string>> = { mod: 'CommandOrControl', alt: 'Alt', shift: 'Shift' };
const KEYS: Readonly<Record<string, string>> = {
  space: 'Space',
  enter: 'Enter',
  escape: 'Escape',
  backspace: 'Backspace',
  delete: 'Delete',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
};

/**
 * The accelerator of a shortcut; null for one that a menu must not have: a bare letter or sign, which people
 * need for typing.
 */
export function toAccelerator(shortcut: string): string | null {
  const parts = shortcut.toLowerCase().split('+');
  const key = parts.pop() ?? '';
  const modifiers = parts.map((part) => MODIFIERS[part] ?? null);
  const isFunctionKey = /^f([1-9]|1[0-9]|2[0-4])$/.test(key);
  if (key === '' || modifiers.includes(null)) return null;
  if (!isFunctionKey && !parts.includes('mod') && !parts.includes('alt')) return null;
  const name = KEYS[key] ?? (isFunctionKey || /^[a-z]$/.test(key) ? key.toUpperCase() : key);
  return name.length > 1 && KEYS[key] === undefined && !isFunctionKey ? null : [...modifiers, name].join('+');
}
