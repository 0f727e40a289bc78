/**
 * Keyboard shortcuts as written in code (`mod+shift+o`), as pressed and as shown. `mod` is Cmd on a Mac and Ctrl
 * elsewhere. Where the layout has other letters, the position of the key counts, so shortcuts work on every keyboard.
 */

/** The part of a keyboard event that is read here. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

interface Parsed {
  mod: boolean;
  shift: boolean;
  alt: boolean;
  key: string;
}

/** Names of keys in shortcuts, where they differ from the event's. */
const WRITTEN: Readonly<Record<string, string>> = {
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  ' ': 'space',
};

const SHOWN: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  enter: 'Enter',
  escape: 'Esc',
  space: 'Space',
  backspace: 'Backspace',
  delete: 'Delete',
};

function parse(shortcut: string): Parsed {
  const parts = shortcut.toLowerCase().split('+');
  // A plus sign as the key itself leaves an empty part at the end.
  const key = parts.at(-1) === '' ? '+' : (parts.at(-1) ?? '');
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { mod: has('mod'), shift: has('shift'), alt: has('alt'), key };
}

/** Whether the browser or window is on a Mac. */
export const isMac = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);

/** Whether a key press is that shortcut. */
export function matches(shortcut: string, press: KeyPress, mac: boolean): boolean {
  const wanted = parse(shortcut);
  const [mod, other] = mac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  if (mod !== wanted.mod || other || press.altKey !== wanted.alt) return false;
  // Layouts differ in which signs need Shift, so for signs Shift is part of the sign.
  const isSign = wanted.key.length === 1 && !/[a-z0-9]/.test(wanted.key);
  if (!isSign && press.shiftKey !== wanted.shift) return false;
  return keysOf(press).includes(wanted.key);
}

/** Names of a pressed key: what it types, or the letter at its position if it types none we know. */
function keysOf({ key, code }: KeyPress): string[] {
  const given = key.toLowerCase();
  const names = [WRITTEN[given] ?? given];
  const position = /^Key([A-Z])$/.exec(code)?.[1] ?? /^Digit([0-9])$/.exec(code)?.[1];
  if (position !== undefined && !/^[\x21-\x7e]$/.test(given)) names.push(position.toLowerCase());
  return names;
}

/** Whether a shortcut works while text is being typed. */
const worksWhileTyping = (shortcut: string): boolean => {
  const { mod, alt, key } = parse(shortcut);
  return mod || alt || /^f\d+$/.test(key);
};

/** Whether the focused element takes text. */
export function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  if (element instanceof HTMLInputElement)
    return !['button', 'checkbox', 'color', 'radio', 'range', 'submit'].includes(element.type);
  return element instanceof HTMLElement && element.isContentEditable;
}

/** Something with shortcuts. */
export interface Shortcutted {
  shortcut?: string;
  /** Other shortcuts that do the same. */
  aliases?: readonly string[];
}

/** The first of these whose shortcut was pressed, or null. */
export function findByPress<T extends Shortcutted>(
  commands: readonly T[],
  press: KeyPress,
  mac: boolean,
  typing: boolean,
): T | null {
  const isMeant = (shortcut: string): boolean =>
    (!typing || worksWhileTyping(shortcut)) && matches(shortcut, press, mac);
  const all = ({ shortcut, aliases = [] }: T): readonly string[] =>
    shortcut === undefined ? aliases : [shortcut, ...aliases];
  return commands.find((command) => all(command).some(isMeant)) ?? null;
}

/** The keys of a shortcut as printed on the keyboard: `['Ctrl', 'Shift', 'O']`, on a Mac `['⇧', '⌘', 'O']`. */
export function keysShown(shortcut: string, mac: boolean): string[] {
  const { mod, shift, alt, key } = parse(shortcut);
  const held = mac ? [alt && '⌥', shift && '⇧', mod && '⌘'] : [mod && 'Ctrl', alt && 'Alt', shift && 'Shift'];
  const shown =
    SHOWN[key] ?? (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1));
  return [...held.filter((name) => name !== false), shown];
}

/** The same as one text, in the form of `aria-keyshortcuts`. */
export function ariaKeys(shortcut: string, mac: boolean): string {
  const { mod, shift, alt, key } = parse(shortcut);
  const held = [mod && (mac ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift'].filter(Boolean);
  const arrow = /^(up|down|left|right)$/.test(key)
    ? `Arrow${key.charAt(0).toUpperCase()}${key.slice(1)}`
    : key;
  return [...held, arrow.length === 1 ? arrow.toUpperCase() : arrow].join('+');
}
