import type { Attachment } from 'svelte/attachments';

/** Lets chats be dropped on an element, which has the class `chats-over` while they are over it. `takes`: whether it accepts these. */
export const dropChats =
  (takes: () => boolean, drop: () => void): Attachment<HTMLElement> =>
  (element) => {
    const show = (isOver: boolean): void => void element.classList.toggle('chats-over', isOver);
    const over = (event: DragEvent): void => {
      if (!takes()) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'move';
      show(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) show(false);
    };
    const dropped = (event: DragEvent): void => {
      show(false);
      if (!takes()) return;
      event.preventDefault();
      drop();
    };
    element.addEventListener('dragover', over);
    element.addEventListener('dragleave', leave);
    element.addEventListener('drop', dropped);
    return () => {
      element.removeEventListener('dragover', over);
      element.removeEventListener('dragleave', leave);
      element.removeEventListener('drop', dropped);
    };
  };
