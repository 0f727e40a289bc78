import { tick } from 'svelte';
import { NEW_CHAT_KEY } from '../chats/kept-drafts.ts';
import type { PageOrder, OrderHandler } from './desktop-orders.ts';
import { until } from '../lib/until.ts';
import { isDialogOpen, runById } from '../session/run-command.ts';
import type { Shell } from '../session/shell.svelte.ts';

/** How long a command waits for the chat it may be meant for, in milliseconds. */
const CHAT_WAIT_MS = 5_000;

/** How the main window's page carries out orders. */
export function serveOrders(shell: Shell): OrderHandler {
  return async (order, isCurrent) => {
    // An open dialog has the keyboard to itself, even if a menu takes the keys.
    if (order.type === 'run' && order.byKeys && isDialogOpen()) return true;
    if (order.type === 'notice') {
      shell.workbench.toasts.show({ text: order.text, kind: 'problem' });
      return true;
    }
    await closeDialogs(shell);
    if (!isCurrent()) return false;
    if (order.type === 'run') return run(shell, order.commandId, isCurrent);
    if (order.type === 'open_chat') return openChat(shell, order);
    if (order.type === 'compose') await compose(shell, order.text);
    return true;
  };
}

/** A command may be available only once the open chat is loaded, which the previous order may have opened just now. */
async function run(shell: Shell, commandId: string, isCurrent: () => boolean): Promise<boolean> {
  await until(() => !shell.isChatOnItsWay, CHAT_WAIT_MS);
  await tick();
  if (!isCurrent()) return false;
  // It may wait for something; other orders don't wait for it.
  runById(shell.workbench, commandId);
  return true;
}

function openChat(shell: Shell, order: Extract<PageOrder, { type: 'open_chat' }>): boolean {
  const { chatId, workspaceId } = order;
  if (workspaceId !== null && workspaceId !== shell.workbench.workspaces.currentId) {
    shell.switchWorkspace(workspaceId);
    return false;
  }
  if (chatId === null) {
    shell.startNewChat();
  } else {
    shell.go({ view: 'chat', chatId });
    // At once, without waiting for the address's event: the next order may be about that chat.
    shell.workbench.open(chatId);
    shell.focusMessage();
  }
  return true;
}

async function compose(shell: Shell, text: string): Promise<void> {
  const { drafts } = shell.workbench;
  // The previous draft may be stored only by the service; this must not replace it.
  await shell.workbench.draftsKnown;
  shell.startNewChat();
  await tick();
  drafts.prepend(NEW_CHAT_KEY, { text, files: [] });
}

/** Closes the layers above the page, as Escape would. A dialog that objects, since something would be lost, is waited for. */
async function closeDialogs(shell: Shell): Promise<void> {
  shell.layer = null;
  await tick();
  for (const dialog of [...document.querySelectorAll('dialog[open]')].reverse())
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  await tick();
  for (const dialog of document.querySelectorAll('dialog[open]'))
    await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
}
