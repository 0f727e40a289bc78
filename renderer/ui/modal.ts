import type { Attachment } from 'svelte/attachments';

/**
 * Makes a `dialog` a modal one, open as long as it is mounted: the browser keeps the focus inside. `onClose` is called when
 * it is to go, by Escape or a click beside it; the focus goes back to where it came from.
 */
export const modal =
  (onClose: () => void): Attachment<HTMLDialogElement> =>
  (dialog) => {
    const before = document.activeElement;
    dialog.oncancel = (event) => {
      event.preventDefault();
      onClose();
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
      dialog.close();
      // A dialog that leaves the page as it closes does not give the focus back by itself.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  };
