/** Keeps the application menu up to date: rebuilt when the window offers other commands. */
import { app, Menu } from 'electron';
import type { OfferedCommand } from '../shared/ipc.ts';
import { applicationMenu, type MenuActions } from './menu.ts';

/** The application menu. */
export interface AppMenu {
  /** The commands that the window can run now; none while it doesn't exist. */
  offer(commands: readonly OfferedCommand[]): void;
}

/** Creates the menu, at first without any command of the window. */
export function createAppMenu(platform: NodeJS.Platform, actions: MenuActions): AppMenu {
  const offer = (commands: readonly OfferedCommand[]): void => {
    const template = applicationMenu({ platform, isDevelopment: !app.isPackaged, commands }, actions);
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  };
  offer([]);
  return { offer };
}
