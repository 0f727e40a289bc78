import type { Attachment } from 'svelte/attachments';

/**
 * Makes a `dialog` modal, open as long as it is mounted: the browser keeps the focus inside. `onClose` is called when
 * Escape or a click outside asks to close it, and may leave it open; closing returns the focus to where it was.
 */
export const modal =
  (onClose: () => void): Attachment<HTMLDialogElement> =>
  (dialog) => {
    const before = document.activeElement;
    let isEnding = false;
    let isHandled = false;
    dialog.oncancel = (event) => {
      event.preventDefault();
      isHandled = !event.cancelable;
      onClose();
    };
    // No page may keep a dialog open forever: the browser closes it when Escape is pressed twice with nothing in between.
    dialog.onclose = () => {
      if (isEnding) return;
      if (!isHandled) onClose();
      isHandled = false;
      requestAnimationFrame(() => {
        // Closing would lose something, so it stays.
        if (!isEnding && !dialog.open) dialog.showModal();
      });
    };
    // A text selection may end outside the dialog: that is a click, too.
    let isBeside = false;
    dialog.onpointerdown = (event) => {
      isBeside = event.target === dialog;
    };
    dialog.onclick = (event) => {
      // The second click of a double click on what opened it lands beside it.
      if (isBeside && event.target === dialog && event.detail < 2) onClose();
    };
    dialog.showModal();
    return () => {
      isEnding = true;
      dialog.close();
      // A dialog that is removed as it closes doesn't return the focus by itself.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  };
