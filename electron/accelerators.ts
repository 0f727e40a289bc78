/** Turns Parley's shortcuts (`mod+shift+o`) into Electron's accelerators (`CommandOrControl+Shift+O`). */

const MODIFIERS: Readonly<Record<string, string>> = { mod: 'CommandOrControl', alt: 'Alt', shift: 'Shift' };
const FUNCTION_KEY = /^f([1-9]|1[0-9]|2[0-4])$/;
/** Keys that Electron calls the same, with a capital. */
const NAMED_KEY = /^(space|enter|escape|backspace|delete|up|down|left|right|home|end)$/;

/**
 * The accelerator of a shortcut; null for one that a menu must not have: a bare letter or sign, which people
 * need for typing.
 */
export function toAccelerator(shortcut: string): string | null {
  const parts = shortcut.toLowerCase().split('+');
  const key = parts.pop() ?? '';
  const modifiers = parts.map((part) => MODIFIERS[part] ?? null);
  const isFunctionKey = FUNCTION_KEY.test(key);
  const isKey = key.length === 1 || isFunctionKey || NAMED_KEY.test(key);
  const isForTyping = !isFunctionKey && !parts.includes('mod') && !parts.includes('alt');
  if (!isKey || isForTyping || modifiers.includes(null)) return null;
  return [...modifiers, key.charAt(0).toUpperCase() + key.slice(1)].join('+');
}
