/**
 * Puts the focus into the message box when what had it has gone from the page: the keys would do nothing then. Not by
 * touch, where that would bring up the keyboard.
 */
export function keepFocus(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && matchMedia('(pointer: fine)').matches) {
    document.getElementById('message')?.focus({ preventScroll: true });
  }
}
