/**
 * The messages that the windows' pages may send to the main process. Each is checked before anything is done: it has to come
 * from the top frame of one of the app's windows that shows the service's own page, and have its channel's shape.
 */
import type { IpcMain, IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import {
  IPC,
  type DesktopSession,
  type DesktopState,
  type OfferedCommand,
  type RevealedFolder,
  type WindowKind,
} from '../shared/ipc.ts';
import { isFromOwnPage } from './security.ts';

/** Handles the messages. */
export interface IpcHandlers {
  session: (contents: WebContents) => DesktopSession;
  state: () => DesktopState;
  setOpenAtLogin: (open: boolean) => DesktopState;
  chooseFolder: () => Promise<string | null>;
  diagnose: () => Promise<string>;
  offerCommands: (commands: readonly OfferedCommand[]) => void;
  listening: (contents: WebContents) => void;
  reveal: (folder: RevealedFolder) => void;
  openInMain: (chatId: string | null) => void;
  dismiss: () => void;
}

/** What the listening works with. */
export interface IpcDeps {
  ipcMain: Pick<IpcMain, 'handle' | 'on'>;
  /** The service's origin. */
  origin: string;
  /** Which of the app's windows has these contents; null: none. */
  kindOf: (contents: WebContents) => WindowKind | null;
  log: (line: string) => void;
}

const GROUPS: readonly string[] = ['chat', 'go', 'view', 'help'] satisfies OfferedCommand['group'][];
const FOLDERS: readonly unknown[] = ['data', 'logs'] satisfies RevealedFolder[];
/** More commands, and longer words, than a page can have. */
const MAX_COMMANDS = 200;
const MAX_TEXT = 200;

/** Listens to the windows. */
export function setupIpc({ ipcMain, origin, kindOf, log }: IpcDeps, handlers: IpcHandlers): void {
  /** The kind of window that sent it; null: not allowed. */
  const speaker = (event: IpcMainEvent | IpcMainInvokeEvent, channel: string): WindowKind | null => {
    const kind = isFromOwnPage(event, origin) ? kindOf(event.sender) : null;
    if (kind === null) log(`Refused ${channel} from a page that is none of Parley's.`);
    return kind;
  };
  const handle = (
    channel: string,
    answer: (
      contents: WebContents,
      argument: unknown,
    ) => DesktopSession | DesktopState | Promise<string | null>,
    from: WindowKind | 'any' = 'any',
  ): void =>
    ipcMain.handle(channel, (event, argument: unknown) => {
      const kind = speaker(event, channel);
      if (kind === null || (from !== 'any' && from !== kind)) {
        throw new Error('Only a Parley window may do this.');
      }
      return answer(event.sender, argument);
    });
  const listen = (
    channel: string,
    from: WindowKind | 'any',
    act: (argument: unknown, contents: WebContents) => void,
  ): void =>
    void ipcMain.on(channel, (event, argument: unknown) => {
      const kind = speaker(event, channel);
      if (kind !== null && (from === 'any' || from === kind)) act(argument, event.sender);
    });

  handle(IPC.session, (contents) => handlers.session(contents));
  handle(IPC.state, () => handlers.state());
  handle(IPC.setOpenAtLogin, (_contents, open) => handlers.setOpenAtLogin(open === true));
  handle(IPC.chooseFolder, () => handlers.chooseFolder(), 'main');
  handle(IPC.diagnose, () => handlers.diagnose(), 'main');
  listen(IPC.offerCommands, 'main', (commands) => handlers.offerCommands(toCommands(commands)));
  listen(IPC.listening, 'any', (_argument, contents) => handlers.listening(contents));
  listen(IPC.reveal, 'any', (folder) => {
    if (FOLDERS.includes(folder)) handlers.reveal(folder as RevealedFolder);
  });
  listen(IPC.openInMain, 'any', (chatId) =>
    handlers.openInMain(isText(chatId) && chatId !== '' ? chatId : null),
  );
  listen(IPC.dismiss, 'quick-ask', () => handlers.dismiss());
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_TEXT;

function toCommands(value: unknown): OfferedCommand[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_COMMANDS).flatMap((item: Partial<OfferedCommand> | null) => {
    if (item === null || typeof item !== 'object') return [];
    const { id, label, group, shortcut } = item;
    if (!isText(id) || !isText(label) || !isText(group) || !GROUPS.includes(group)) return [];
    return [{ id, label, group, shortcut: isText(shortcut) ? shortcut : null }];
  });
}
