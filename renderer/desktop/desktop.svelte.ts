import { createContext } from 'svelte';
import type { DesktopBridge, DesktopState, OfferedCommand } from '../../shared/ipc.ts';
import { createFrameBatch } from '../lib/frame-batch.ts';
import type { Command } from '../ui/commands.svelte.ts';
import { DesktopOrders } from './desktop-orders.ts';

/** The desktop app around this window. It outlives the pages that come and go with sign-ins and workspaces. */
export class Desktop {
  readonly bridge: DesktopBridge;
  /** Null until it is known. */
  state = $state.raw<DesktopState | null>(null);
  readonly orders = new DesktopOrders();
  /** Called when the settings have changed; set by the current page. */
  onSettingsChange: (() => void) | null = null;
  readonly #offers = createFrameBatch<readonly OfferedCommand[]>((offers) => this.#send(offers.at(-1) ?? []));
  #sent = '[]';

  constructor(bridge: DesktopBridge) {
    this.bridge = bridge;
    bridge.onOrder((order) => {
      if (order.type === 'state') this.state = order.state;
      else if (order.type === 'settings') this.onSettingsChange?.();
      else this.orders.add(order);
    });
    void this.refresh();
  }

  /** Loads the state. If that fails, the previous state stays. */
  async refresh(): Promise<void> {
    this.state = await this.bridge.state().catch(() => this.state);
  }

  /** Sets whether Parley opens at login; the state then shows the result. */
  async setOpenAtLogin(open: boolean): Promise<void> {
    this.state = await this.bridge.setOpenAtLogin(open);
  }

  /** Reports the available commands to the desktop, with the next frame and only if they changed. */
  offer(commands: readonly Command[]): void {
    this.#offers.add(
      commands.flatMap(({ id, label, group, shortcut = null }) =>
        // Tools aren't in the menus: there are too many.
        group === 'tools' ? [] : [{ id, label, group, shortcut }],
      ),
    );
  }

  #send(commands: readonly OfferedCommand[]): void {
    const json = JSON.stringify(commands);
    if (json === this.#sent) return;
    this.#sent = json;
    this.bridge.offerCommands(commands);
  }
}

/** Null in a browser. */
export const [useDesktop, provideDesktop] = createContext<Desktop | null>();
