import type { KeyPress } from '../../lib/shortcuts.ts';

/** Why a shortcut can't work system-wide. */
export type KeysTrouble =
  /** Only Ctrl, Cmd, Alt or Shift so far: another key is to follow. */
  | 'unfinished'
  /** Without Ctrl, Cmd or Alt it would get in the way of typing. */
  | 'not_held'
  /** Held with a modifier that shortcuts here don't use: Ctrl on a Mac, the Windows key elsewhere. */
  | 'other_held'
  /** Not a letter, a digit, Space or a function key. */
  | 'other_key';

const HELD_KEYS = ['control', 'shift', 'alt', 'meta', 'altgraph', 'os', 'fn', 'capslock', 'dead'];
const FUNCTION_KEY = /^f([1-9]|1[0-2])$/;

/**
 * The shortcut that was pressed, in the settings' format (`mod+shift+space`), or what is wrong with it.
 */
export function recordKeys(press: KeyPress, mac: boolean): { shortcut: string } | { trouble: KeysTrouble } {
  const given = press.key.toLowerCase();
  const key = keyOf(given, press.code);
  if (key === null && HELD_KEYS.includes(given)) return { trouble: 'unfinished' };
  const [mod, other] = mac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  if (other) return { trouble: 'other_held' };
  if (!mod && !press.altKey) return { trouble: 'not_held' };
  if (key === null) return { trouble: 'other_key' };
  const held = [mod && 'mod', press.altKey && 'alt', press.shiftKey && 'shift'];
  return { shortcut: [...held.filter((name) => name !== false), key].join('+') };
}

/** The key's name; for letters and digits by position, since Shift or Alt may turn them into other signs. */
function keyOf(given: string, code: string): string | null {
  if (given === ' ' || code === 'Space') return 'space';
  if (/^[a-z0-9]$/.test(given) || FUNCTION_KEY.test(given)) return given;
  const position = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  return (position?.[1] ?? position?.[2])?.toLowerCase() ?? null;
}
