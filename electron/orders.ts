/**
 * Orders to a window's page. They wait until the page says that it is listening, also while it reloads. Of state updates only
 * the latest waits.
 */
import type { WebContents } from 'electron';
import type { Service } from '../server/service.ts';
import { ORDER_CHANNEL, type DesktopOrder } from '../shared/ipc.ts';

/** The orders to one window. */
export type Orders = ReturnType<typeof createOrders>;

/** More than a person can have asked for while a page was loading. */
const MAX_WAITING = 50;

/** Creates the orders of a window, for its lifetime. */
export function createOrders(contents: Pick<WebContents, 'send' | 'on' | 'isDestroyed'>) {
  let isListening = false;
  let waiting: DesktopOrder[] = [];

  const forget = (): void => {
    isListening = false;
  };
  contents.on('did-start-navigation', (details) => {
    if (details.isMainFrame && !details.isSameDocument) forget();
  });
  contents.on('render-process-gone', forget);

  return {
    /** Sends an order, now or when the page listens. */
    give(order: DesktopOrder): void {
      if (contents.isDestroyed()) return;
      if (isListening) {
        contents.send(ORDER_CHANNEL, order);
        return;
      }
      if (['state', 'settings', 'shown'].includes(order.type)) {
        waiting = waiting.filter(({ type }) => type !== order.type);
      }
      waiting = [...waiting, order].slice(-MAX_WAITING);
    },
    /** The page listens from now on. */
    listening(): void {
      isListening = true;
      for (const order of waiting.splice(0)) contents.send(ORDER_CHANNEL, order);
    },
  };
}

/** The order to open a chat, in its own workspace; null: a new chat. */
export const toOpenChat = (
  chatId: string | null,
  service: Pick<Service, 'findWorkspaceOf'>,
): DesktopOrder => ({
  type: 'open_chat',
  chatId,
  workspaceId: chatId === null ? null : service.findWorkspaceOf(chatId),
});
