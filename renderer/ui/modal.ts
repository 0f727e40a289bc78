import type { Attachment } from 'svelte/attachments';

/**
 * Makes a `dialog` a modal one, open as long as it is mounted: the browser keeps the focus inside. `onClose` is called when
 * it is to go, by Escape or a click beside it, and may leave it there; the focus goes back to where it came from.
 */
export const modal =
  (onClose: () => void): Attachment<HTMLDialogElement> =>
  (dialog) => {
    const before = document.activeElement;
    let isEnding = false;
    let isTold = false;
    dialog.oncancel = (event) => {
      event.preventDefault();
      isTold = !event.cancelable;
      onClose();
    };
    // No page may hold a dialog open for ever: the browser closes it unasked when Escape comes again with nothing in between.
    dialog.onclose = () => {
      if (isEnding) return;
      if (!isTold) onClose();
      isTold = false;
      requestAnimationFrame(() => {
        // Something would be lost, so it stays.
        if (!isEnding && !dialog.open) dialog.showModal();
      });
    };
    // A text that is selected may be let go of beside the dialog: that is a click too.
    let isBeside = false;
    dialog.onpointerdown = (event) => {
      isBeside = event.target === dialog;
    };
    dialog.onclick = (event) => {
      if (isBeside && event.target === dialog) onClose();
    };
    dialog.showModal();
    return () => {
      isEnding = true;
      dialog.close();
      // A dialog that leaves the page as it closes does not give the focus back by itself.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  };
