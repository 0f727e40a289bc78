/**
 * A stand-in for the `electron` module, with which the app's built main process runs in plain Node and its windows are
 * pages of a real Chromium. It follows what Electron documents, and throws NotStoodInError where it lacks something.
 *
 * Where it differs: `process.type` and `process.versions.electron` are set as in Electron, but Node and Chromium are those of
 * this machine. A hidden window's page doesn't know that it is: the browser could minimise it, but a test's own
 * connection keeps all pages shown. Windows that a page may open are never opened. Permissions are asked for when a page is
 * loaded, not when it asks. Pages without a network scheme (about:, mailto:) are reported, but can't be held. The page's
 * clipboard is not Electron's. The system, such as dialogs and notifications, does nothing by itself.
 */
import { app } from './app.ts';
import { BaseWindow } from './base-window.ts';
import { BrowserWindow } from './browser-window.ts';
import { serveControl } from './control.ts';
import {
  autoUpdater,
  clipboard,
  crashReporter,
  dialog,
  net,
  powerMonitor,
  protocol,
  shell,
  systemPreferences,
} from './desktop-parts.ts';
import { globalShortcut, pressShortcut } from './global-shortcut.ts';
import { guarded } from './guard.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, MenuItem } from './menu.ts';
import { NativeImage as nativeImage } from './native-image.ts';
import { nativeTheme } from './native-theme.ts';
import { Notification } from './notification.ts';
import './process.ts';
import { safeStorage } from './safe-storage.ts';
import { screen } from './screen.ts';
import { session } from './session.ts';
import { Tray } from './tray.ts';
import { WebContents as webContents } from './web-contents.ts';
import { WebFrameMain as webFrameMain } from './web-frame-main.ts';

export {
  app,
  autoUpdater,
  BaseWindow,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  webContents,
  webFrameMain,
};

const electron = guarded('electron', {
  app,
  autoUpdater,
  BaseWindow,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  webContents,
  webFrameMain,
  /** Not part of Electron: actions of people and the system. */
  standIn: { pressShortcut, Tray },
});

export default electron;

serveControl(electron);
