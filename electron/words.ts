const NOT_STARTED = 'Parley could not start';

/** Every word that the desktop app's main process shows: menus, tray, dialogs, notifications. */
export const words = {
  app: 'Parley',
  about: {
    credits: 'A chat app for the desktop that is also a local service.',
    copyright: 'MIT licence',
  },
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    chat: 'Chat',
    go: 'Go',
    window: 'Window',
    help: 'Help',
    about: 'About Parley',
    settings: 'Settings…',
    newChat: 'New chat',
    quickAsk: 'Quick ask',
    showWindow: 'Open Parley',
    print: 'Print…',
    openLogs: 'Open log folder',
    openData: 'Open the data folder',
    quit: 'Quit Parley',
  },
  chooseFolder: { title: 'Choose a folder that tools may use', choose: 'Allow' },
  saveAs: (name: string) => `Save ${name}`,
  notSaved: (name: string) => `${name} was not saved. The disk may be full, or the folder may be protected.`,
  contextMenu: {
    addToDictionary: 'Add to dictionary',
    noSuggestions: 'No suggestions',
    copyLink: 'Copy link address',
    checkSpelling: 'Check spelling',
    checkSpellingLoads: 'Check spelling (downloads a dictionary once)',
  },
  tray: {
    running: (address: string) => `Running at ${address}`,
    working: (chats: number) => (chats === 1 ? 'Answering in one chat' : `Answering in ${chats} chats`),
    idle: 'No replies in progress',
    copyAddress: 'Copy the address',
    copyKey: 'Copy the local key',
  },
  notification: {
    failed: (reason: string) => `No reply: ${reason}`,
    manyAsk: (tools: number) => `${tools} tools need your answer`,
    manyAskBody: 'Open Parley to see what they want.',
    many: (replies: number) => `${replies} replies are ready`,
    manyBody: 'Open Parley to read them.',
  },
  unread: (chats: number) => (chats === 1 ? 'One unread chat' : `${chats} unread chats`),
  awaiting: (chats: number) =>
    chats === 1 ? 'One chat needs your answer' : `${chats} chats need your answer`,
  notStarted: NOT_STARTED,
  noDisplay: (reason: string) => `${reason}, so Parley can’t open its window. Without one, run: parley serve`,
  pageReloaded: 'The window had crashed and was loaded again. What you were writing is kept.',
  linkTooLong: 'The link is too long for Parley.',
  linkUnknown: 'Parley doesn’t know what the link asks for.',
  noTempFolder: (folder: string) =>
    `Parley can’t write to the folder for temporary files, ${folder}. It may be full, missing or protected.`,
  dialogs: {
    openLogs: 'Open log folder',
    quit: 'Quit',
    closeWindow: 'Close the window',
    tryAgain: 'Try again',
    wait: 'Wait',
    reload: 'Reload',
    restart: 'Restart',
    later: 'Later',
    openInBrowser: 'Open in browser',
    keepOpen: 'Keep the window open',
    discard: 'Close and discard',
    notStarted: (reason: string, logPath: string) => ({
      message: NOT_STARTED,
      detail: `${reason}\n\nYour stored data has not changed. The log has the details: ${logPath}`,
    }),
    owned: ({ pid, baseUrl }: { pid: number | null; baseUrl: string | null }) => {
      const who = `${pid === null ? 'Another process' : `Process ${pid}`} is using the data folder`;
      return {
        message: 'Parley is already running without a window',
        detail:
          baseUrl === null
            ? `${who} and doesn’t say at which address. Only one Parley can use a data folder at a time: stop that one, then try again.`
            : `${who} and runs at ${baseUrl}. Only one Parley can use a data folder at a time. Open that one in the browser, or stop it and start this one again.`,
      };
    },
    replaced: {
      message: 'Parley was updated; restart it',
      detail: 'Until then some things may fail. Unfinished replies resume after the restart.',
    },
    fault: (logPath: string) => ({
      message: 'Parley has to close because of an error',
      detail: `Your messages are saved, and unfinished replies resume at the next start. The log has the details: ${logPath}`,
    }),
    pageGone: (logPath: string) => ({
      message: 'The window keeps failing',
      detail: `Its page crashed several times in a minute. The service keeps running, and nothing is lost. The log has the details: ${logPath}`,
    }),
    pageHangs: {
      message: 'The window is not responding',
      detail: 'You can wait, or reload the page. What you were writing is kept.',
    },
    unload: {
      message: 'A message you wrote isn’t saved yet',
      detail: 'The window’s storage is full. Send or copy the message first, or it is lost.',
    },
    pageNotLoaded: (reason: string, logPath: string) => ({
      message: 'The window could not be loaded',
      detail: `${reason}. The service keeps running, and nothing is lost. The log has the details: ${logPath}`,
    }),
  },
} as const;

/** Which chats need attention, in words; empty: none. */
export const wantingWords = ({ awaiting, unread }: { awaiting: number; unread: number }): string =>
  [...(awaiting > 0 ? [words.awaiting(awaiting)] : []), ...(unread > 0 ? [words.unread(unread)] : [])].join(
    ' · ',
  );
