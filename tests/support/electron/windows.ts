/** The app's open windows, and which of them is focused. Independent of what a window consists of. */

/** What quitting and focus need of a window. */
export interface OpenWindow {
  readonly id: number;
  close(): void;
  destroy(): void;
  isVisible(): boolean;
  /** Emits a focus event; state is kept here. */
  announce(event: 'focus' | 'blur'): void;
}

const open: OpenWindow[] = [];
let focused: OpenWindow | null = null;
let lastId = 0;
let whenAllClosed: () => void = () => undefined;

export const nextWindowId = (): number => (lastId += 1);
export const openWindows = (): readonly OpenWindow[] => [...open];
export const focusedWindow = (): OpenWindow | null => focused;

/** One listener: the app. */
export function onAllClosed(listener: () => void): void {
  whenAllClosed = listener;
}

export function windowOpened(window: OpenWindow): void {
  open.push(window);
}

export function windowClosed(window: OpenWindow): void {
  const at = open.indexOf(window);
  if (at < 0) return;
  open.splice(at, 1);
  if (focused === window) focused = null;
  if (open.length === 0) whenAllClosed();
}

/** Focuses a window, or with null another program. */
export function giveFocus(window: OpenWindow | null): void {
  if (focused === window) return;
  const before = focused;
  focused = window;
  before?.announce('blur');
  window?.announce('focus');
}
