import { BRIDGE_NAME, type DesktopBridge } from '../../shared/ipc.ts';

/** What the desktop app does for the page that HTTP can't; null in a browser. */
export const desktop = bridgeOf(globalThis);

function bridgeOf(scope: object): DesktopBridge | null {
  const bridge = (scope as { [BRIDGE_NAME]?: Partial<DesktopBridge> })[BRIDGE_NAME];
  return typeof bridge?.session === 'function' ? (bridge as DesktopBridge) : null;
}
