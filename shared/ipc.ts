/**
 * What the desktop app's main process and its windows say to each other. The window is a client of the HTTP API like any
 * other; only what HTTP can't do is here. The preload exposes it as `window.parley`, a {@link DesktopBridge}.
 */

/** The name under which the preload puts the bridge on the page's `window`. Absent in a browser. */
export const BRIDGE_NAME = 'parley';

/** Prefix of the argument that passes the {@link WindowKind} to a window's preload. */
export const WINDOW_ARGUMENT = '--parley-window=';

/** Prefix of the argument that passes the system's locale to a window's preload. */
export const LOCALE_ARGUMENT = '--parley-locale=';

/** What a page can ask of the main process: the bridge's methods, and `listening`: it gets orders from now on. */
export type PageRequest = Exclude<keyof DesktopBridge, 'window' | 'locale' | 'onOrder'> | 'listening';

/** The channel of a request. */
export const channelOf = (request: PageRequest): string => `parley:${request}`;

/** The channel of {@link DesktopOrder}s to a window. */
export const ORDER_CHANNEL = 'parley:order';

/** Which of the app's windows a page is in. */
export type WindowKind = 'main' | 'quick-ask';

/** The window's session at the service: its key works in all workspaces and ends with the app. */
export interface DesktopSession {
  apiKey: string;
  /** The workspace that is opened first. */
  workspaceId: string;
}

/** The current state of the desktop app, which only the app itself knows. */
export interface DesktopState {
  /** Whether the system opens Parley, hidden, when the person logs in; null: this system, or this build, can't. */
  openAtLogin: boolean | null;
  /**
   * The quick-ask shortcut: not set, in force, or refused by the system because another program has it; `asked`:
   * requested, but this desktop (Wayland) doesn't say whether it agreed.
   */
  quickAsk: 'off' | 'ready' | 'taken' | 'asked';
  /** Whether a person sees a tray icon; without one, closing the window minimises it where Parley keeps running. */
  hasTray: boolean;
  /** Whether this system shows notifications. */
  canNotify: boolean;
  /** Why the system did not show the last notification; null: it did, or there was none. */
  notifyTrouble: string | null;
  /**
   * Whether secrets are sealed by the system's key store or are in a file that only its owner may read; `unasked`:
   * there is no secret yet, and the key store wasn't asked.
   */
  secrets: 'sealed' | 'file' | 'unasked';
}

/** A command of the window, for the native menus. */
export interface OfferedCommand {
  /** As in the palette, e.g. `chat.rename`. */
  id: string;
  label: string;
  group: 'chat' | 'go' | 'view' | 'help';
  /** e.g. `mod+shift+o`; null: none. */
  shortcut: string | null;
}

/** Folders that a window may have shown in the system's file manager. */
export type RevealedFolder = 'data' | 'logs';

/** An order from the main process to a window. */
export type DesktopOrder =
  /**
   * Runs a command that the window has offered. `byKeys`: by a menu's shortcut, which an open dialog takes precedence
   * over.
   */
  | { type: 'run'; commandId: string; byKeys?: boolean }
  /** Opens a chat, in its workspace where that is known; null: a new chat. */
  | { type: 'open_chat'; chatId: string | null; workspaceId: string | null }
  /** Opens a new chat and puts the text into its message box, before any text already there; never sends it. */
  | { type: 'compose'; text: string }
  /** Tells the person something that happened outside the page. */
  | { type: 'notice'; text: string }
  /** The settings have changed, perhaps over the API. */
  | { type: 'settings' }
  /** The desktop's state has changed. */
  | { type: 'state'; state: DesktopState }
  /** The quick-ask window is shown again, and is ready for a new question. */
  | { type: 'shown' };

/** What the preload gives to the page of a window. */
export interface DesktopBridge {
  readonly window: WindowKind;
  /** The system's locale, e.g. `de-DE`. The window's own is English: Chromium's other languages aren't in the package. */
  readonly locale: string;
  /** A session for this window; the same again after a reload. Rejects when the service isn't running. */
  session(): Promise<DesktopSession>;
  state(): Promise<DesktopState>;
  /** Resolves with the state as it is then, whether or not the system complied. */
  setOpenAtLogin(open: boolean): Promise<DesktopState>;
  /** Lets the user choose a folder in a system dialog; null: they cancelled. Only in the main window. */
  chooseFolder(): Promise<string | null>;
  /** Checks Parley's parts on this machine in a few seconds; resolves with the findings as a table. */
  diagnose(): Promise<string>;
  /** Reports which commands are available, whenever that changes. Only in the main window. */
  offerCommands(commands: readonly OfferedCommand[]): void;
  /** Shows a folder in the system's file manager. */
  reveal(folder: RevealedFolder): void;
  /** Opens a chat in the main window; null: a new one. */
  openInMain(chatId: string | null): void;
  /** Hides the quick-ask window. Only there. */
  dismiss(): void;
  /** Calls the listener with every order, starting with those that came before it was set. One listener at a time. */
  onOrder(listener: (order: DesktopOrder) => void): void;
}
