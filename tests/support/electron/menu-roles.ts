/** What menu items with a role do, where it shows in the app; the system does the rest. */
import { app } from './app.ts';
import { focusedWindow } from './windows.ts';

interface RoleWindow {
  close(): void;
  minimize(): void;
  isFullScreen(): boolean;
  setFullScreen(full: boolean): void;
  webContents: Record<
    | 'undo'
    | 'redo'
    | 'cut'
    | 'copy'
    | 'paste'
    | 'pasteAndMatchStyle'
    | 'delete'
    | 'selectAll'
    | 'reload'
    | 'reloadIgnoringCache',
    () => void
  > & {
    setZoomLevel(level: number): void;
    getZoomLevel(): number;
  };
}

const ZOOM_STEP = 0.5;

const ROLES: Record<string, (window: RoleWindow) => void> = {
  undo: ({ webContents }) => webContents.undo(),
  redo: ({ webContents }) => webContents.redo(),
  cut: ({ webContents }) => webContents.cut(),
  copy: ({ webContents }) => webContents.copy(),
  paste: ({ webContents }) => webContents.paste(),
  pasteandmatchstyle: ({ webContents }) => webContents.pasteAndMatchStyle(),
  delete: ({ webContents }) => webContents.delete(),
  selectall: ({ webContents }) => webContents.selectAll(),
  reload: ({ webContents }) => webContents.reload(),
  forcereload: ({ webContents }) => webContents.reloadIgnoringCache(),
  resetzoom: ({ webContents }) => webContents.setZoomLevel(0),
  zoomin: ({ webContents }) => webContents.setZoomLevel(webContents.getZoomLevel() + ZOOM_STEP),
  zoomout: ({ webContents }) => webContents.setZoomLevel(webContents.getZoomLevel() - ZOOM_STEP),
  minimize: (window) => window.minimize(),
  close: (window) => window.close(),
  togglefullscreen: (window) => window.setFullScreen(!window.isFullScreen()),
};

/** Whether there was something to do for the role. */
export function runRole(role: string): boolean {
  if (role === 'quit') {
    app.quit();
    return true;
  }
  if (role === 'about') {
    app.showAboutPanel();
    return true;
  }
  const act = ROLES[role];
  const window = focusedWindow() as unknown as RoleWindow | null;
  if (act !== undefined && window !== null) act(window);
  return act !== undefined;
}
