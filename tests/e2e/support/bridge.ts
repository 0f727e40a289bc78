import type { Page } from '@playwright/test';
import type { DesktopOrder, DesktopState, OfferedCommand, WindowKind } from '../../../shared/ipc.ts';
import type { TestService } from './service.ts';

/** The page's messages to the main process, in order. */
export interface Said {
  offers: OfferedCommand[][];
  revealed: string[];
  openedInMain: (string | null)[];
  dismissed: number;
}

/** The main process's end of a page's bridge. */
export interface TestBridge {
  /** Orders wait for a listener, like real ones. */
  order(order: DesktopOrder): Promise<void>;
  said(): Promise<Said>;
  /** Whether a session is available; at first it is. */
  setRunning(running: boolean): void;
  /** Sets what the system reports. */
  setState(change: Partial<DesktopState>): void;
  /** Sets the folder that is chosen; null, the initial value: none. */
  setFolder(path: string | null): void;
  /** Whether the system accepts changes of opening at login; at first it does. */
  setObeys(obeys: boolean): void;
}

const STATE: DesktopState = {
  openAtLogin: false,
  quickAsk: 'off',
  hasTray: true,
  canNotify: true,
  notifyTrouble: null,
  secrets: 'sealed',
};

interface BridgedWindow {
  parleyTestSession(): Promise<{ apiKey: string; workspaceId: string }>;
  parleyTestState(openAtLogin?: boolean): Promise<DesktopState>;
  parleyTestFolder(): Promise<string | null>;
  parleySaid: Said;
  parleyOrder(order: DesktopOrder): void;
  parley: unknown;
}

/**
 * Gives the page a bridge in every document, as the desktop app's preload would; its sessions are real ones. Call it
 * before the page is opened.
 */
export async function giveBridge(
  page: Page,
  service: TestService,
  { window: kind = 'main' }: { window?: WindowKind } = {},
): Promise<TestBridge> {
  let running = true;
  let obeys = true;
  let state = STATE;
  let folder: string | null = null;
  await page.exposeFunction('parleyTestSession', async () => {
    if (!running) throw new Error('not running');
    const { apiKey, workspaceId } = await service.call<{ apiKey: string; workspaceId: string }>(
      'POST',
      '/api/v1/session',
      {},
    );
    return { apiKey, workspaceId };
  });
  await page.exposeFunction('parleyTestState', (openAtLogin?: boolean) => {
    if (openAtLogin !== undefined && obeys) state = { ...state, openAtLogin };
    return state;
  });
  await page.exposeFunction('parleyTestFolder', () => folder);
  await page.addInitScript((windowKind: WindowKind) => {
    const scope = window as unknown as BridgedWindow;
    const said: Said = { offers: [], revealed: [], openedInMain: [], dismissed: 0 };
    const waiting: DesktopOrder[] = [];
    let listener: ((order: DesktopOrder) => void) | null = null;
    scope.parleySaid = said;
    scope.parleyOrder = (order) => (listener ? listener(order) : void waiting.push(order));
    scope.parley = {
      window: windowKind,
      session: () => scope.parleyTestSession(),
      state: () => scope.parleyTestState(),
      setOpenAtLogin: (open: boolean) => scope.parleyTestState(open),
      chooseFolder: () => scope.parleyTestFolder(),
      diagnose: () => Promise.resolve('ok'),
      offerCommands: (commands: OfferedCommand[]) => said.offers.push(commands),
      reveal: (folder: string) => said.revealed.push(folder),
      openInMain: (chatId: string | null) => said.openedInMain.push(chatId),
      dismiss: () => (said.dismissed += 1),
      onOrder: (reported: (order: DesktopOrder) => void) => {
        listener = reported;
        for (const order of waiting.splice(0)) reported(order);
      },
    };
  }, kind);
  return {
    order: (order) =>
      page.evaluate((reported) => (window as unknown as BridgedWindow).parleyOrder(reported), order),
    said: () => page.evaluate(() => (window as unknown as BridgedWindow).parleySaid),
    setRunning: (now) => (running = now),
    setFolder: (path) => (folder = path),
    setObeys: (now) => (obeys = now),
    setState: (change) => (state = { ...state, ...change }),
  };
}
