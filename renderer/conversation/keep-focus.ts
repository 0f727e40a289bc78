/**
 * Puts the focus into the message box when what had it has gone from the page, which leaves it with the conversation at
 * best. Not by touch, where that would bring up the keyboard.
 */
export function keepFocus(): void {
  const { activeElement } = document;
  const isLost = activeElement === null || activeElement === document.body || activeElement.role === 'log';
  if (isLost && matchMedia('(pointer: fine)').matches) {
    document.getElementById('message')?.focus({ preventScroll: true });
  }
}
