/**
 * Focuses the message box when the focused element was removed from the page, which at best leaves the focus on the
 * conversation. Not on touch screens, where that would open the keyboard.
 */
export function keepFocus(): void {
  const { activeElement } = document;
  const isLost = activeElement === null || activeElement === document.body || activeElement.role === 'log';
  if (isLost && matchMedia('(pointer: fine)').matches) {
    document.getElementById('message')?.focus({ preventScroll: true });
  }
}
