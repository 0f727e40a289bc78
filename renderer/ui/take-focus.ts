/** A dialog gives the focus to what asks for it, when it opens. */
export function takeFocus(input: HTMLElement): void {
  input.autofocus = true;
}
