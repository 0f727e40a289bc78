/**
 * What pages in the app's windows may not do: open windows, leave the service's origin, embed web views, ask for permissions such as the
 * camera, or use IPC unless they are the window's own page.
 */
import type { App, IpcMainEvent, IpcMainInvokeEvent, Session, WebContents } from 'electron';
import { words } from './words.ts';

/** Schemes that may reach the system's browser. */
const OPENABLE = new Set(['http:', 'https:']);
/** Chromium's PDF viewer loads the file into a frame of its own extension. The page's policy keeps it from going there. */
const PDF_VIEWER = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/';

/** The parts of Electron that the rules apply to. */
export interface SecurityDeps {
  app: Pick<App, 'on'>;
  session: Pick<
    Session,
    'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'on'
  >;
  /** The service's origin, `http://127.0.0.1:<port>`. */
  origin: string;
  openExternal: (url: string) => Promise<void>;
  /** Shows the person a short text. */
  notify: (text: string) => void;
  log: (line: string) => void;
}

/** The address, if the system's browser may open it; else null. */
export function toOpenable(address: string): string | null {
  const url = URL.parse(address);
  return url !== null && OPENABLE.has(url.protocol) ? url.href : null;
}

/** Sets the rules for all web contents created from now on, and for the session they share. */
export function setupSecurity({ app, session, origin, openExternal, notify, log }: SecurityDeps): void {
  // Copying is the only thing the page needs a permission for; reading the clipboard isn't.
  const isAllowed = (permission: string, requester: string): boolean =>
    permission === 'clipboard-sanitized-write' && isWithin(requester, origin);
  session.setPermissionRequestHandler((_contents, permission, callback, details) =>
    callback(isAllowed(permission, details.requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isAllowed(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // What the page saves it has fetched itself; nothing comes from elsewhere.
    if (!isWithin(item.getURL(), origin)) {
      event.preventDefault();
      return;
    }
    item.setSaveDialogOptions({ title: words.saveAs(item.getFilename()) });
    item.once('done', (_done, state) => {
      if (state === 'interrupted') notify(words.notSaved(item.getFilename()));
    });
  });

  const openOutside = (address: string): void => {
    const openable = toOpenable(address);
    if (openable === null) return;
    // Without the reason: it may contain the link, which is part of a message.
    openExternal(openable).catch(() => log('A link could not be opened.'));
  };

  app.on('web-contents-created', (_event, contents: WebContents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url);
      return { action: 'deny' };
    });
    contents.on('will-navigate', (details) => {
      if (isPage(details.url, origin)) return;
      details.preventDefault();
      openOutside(details.url);
    });
    // A redirect or a frame to another origin isn't the person's choice, so it is refused. `about:srcdoc` is part of the page itself.
    contents.on('will-frame-navigate', (details) => {
      const { url } = details;
      const isAllowed = isWithin(url, origin) || url === 'about:srcdoc' || url.startsWith(PDF_VIEWER);
      if (!details.isMainFrame && !isAllowed) details.preventDefault();
    });
    contents.on('will-redirect', (details) => {
      if (!isWithin(details.url, origin)) details.preventDefault();
    });
  });
}

/** Whether an IPC message comes from the top frame of its window, and that frame shows the service's own page. */
export function isFromOwnPage(
  event: Pick<IpcMainEvent | IpcMainInvokeEvent, 'senderFrame' | 'sender'>,
  origin: string,
): boolean {
  const { senderFrame: frame, sender } = event;
  if (frame === null) return false;
  const { mainFrame } = sender;
  const isTop = frame.processId === mainFrame.processId && frame.routingId === mainFrame.routingId;
  return isTop && frame.parent === null && isWithin(frame.url, origin);
}

/** Whether a window may show that address: of the service's own, only the page leads on to the others. */
export const isPage = (address: string, origin: string): boolean => {
  const url = URL.parse(address);
  return url?.origin === origin && url.protocol === 'http:' && url.pathname === '/';
};

const isWithin = (address: string, origin: string): boolean => URL.parse(address)?.origin === origin;
