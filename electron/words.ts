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
    openLogs: 'Open the logs',
    openData: 'Open the data folder',
    quit: 'Quit Parley',
  },
  chooseFolder: { title: 'A folder that tools may use', choose: 'Allow' },
  saveAs: (name: string) => `Save ${name}`,
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
    idle: 'Nothing under way',
    copyAddress: 'Copy the address',
    copyKey: 'Copy the local key',
  },
  notification: {
    failed: (reason: string) => `No reply: ${reason}`,
    asks: (tool: string | null, what: string) => {
      const asker = tool === null ? 'A tool needs your answer' : `“${tool}” needs your answer`;
      return what === '' ? asker : `${asker}: ${what}`;
    },
    manyAsk: (questions: number) => `${questions} tools need your answer`,
    manyAskBody: 'Open Parley to see what they want.',
    many: (replies: number) => `${replies} replies are ready`,
    manyBody: 'Open Parley to read them.',
  },
  unread: (chats: number) => (chats === 1 ? 'One unread chat' : `${chats} unread chats`),
  awaiting: (chats: number) =>
    chats === 1 ? 'One chat waits for your answer' : `${chats} chats wait for your answer`,
  dialogs: {
    openLogs: 'Open the logs',
    quit: 'Quit',
    tryAgain: 'Try again',
    wait: 'Wait',
    reload: 'Load it again',
    restart: 'Start again',
    notStarted: {
      message: 'Parley could not start',
      detail: (reason: string, logPath: string) =>
        `${reason}\n\nNothing that was stored has been changed. The log has the details: ${logPath}`,
      hints: {
        disk: 'The disk is full. Make some room, then try again.',
        access: (path: string) =>
          `Parley may not read or write ${path}. Check who owns the folder and its permissions, then try again.`,
        notAFolder: (path: string) =>
          `${path} can’t be used as a folder: there is a file in its place. Move that file away, then try again.`,
        port: 'Quit the program that uses the port, or start Parley without --port.',
      },
    },
    owned: {
      message: 'Parley is already running without a window',
      detail: (who: string, address: string) =>
        `${who} has the data folder and serves it at ${address}. One Parley can use a data folder at a time. You can open that one in the browser, or stop it and start this one again.`,
      detailUnknown: (who: string) =>
        `${who} has the data folder and doesn't say where it can be reached. One Parley can use a data folder at a time: stop that one, then try again.`,
      process: (pid: number) => `Process ${pid}`,
      someProcess: 'Another process',
      open: 'Open it in the browser',
      opensWithoutLink: (address: string) =>
        `It gave no sign-in link. ${address} opens now and asks for a key, which stands in connection.json in the data folder.`,
    },
    fault: {
      message: 'Parley met a fault it can’t go on from',
      detail: (logPath: string) =>
        `All messages that were accepted are kept, and replies under way go on at the next start. The log has the details: ${logPath}`,
    },
    pageGone: {
      message: 'The window keeps failing',
      detail: (logPath: string) =>
        `Its page ended several times in a minute. The service runs on and nothing is lost. The log has the details: ${logPath}`,
    },
    pageHangs: {
      message: 'The window doesn’t answer',
      detail: 'You can wait, or load the page again. What you were writing is kept.',
    },
    unload: {
      message: 'A message that you wrote isn’t stored yet',
      detail: 'There is no room for it in the window’s storage. Send or copy it first, or it is lost.',
      stay: 'Keep the window open',
      leave: 'Close and lose it',
    },
    pageNotLoaded: {
      message: 'The window could not be loaded',
      detail: (reason: string, logPath: string) =>
        `${reason}. The service runs on and nothing is lost. The log has the details: ${logPath}`,
    },
  },
  updates: {
    found: (version: string) => ({
      message: `Parley ${version} is there`,
      detail: 'It is downloaded only if you say so. You can go on working meanwhile.',
    }),
    download: 'Download',
    later: 'Later',
    ready: (version: string) => ({
      message: `Parley ${version} is ready`,
      detail: 'It is installed when Parley ends. Replies under way go on after the restart.',
    }),
    restart: 'Restart now',
    whenIQuit: 'When I quit',
  },
} as const;

/** Which chats want a look, in words; empty: none does. */
export const wantingWords = ({ awaiting, unread }: { awaiting: number; unread: number }): string =>
  [...(awaiting > 0 ? [words.awaiting(awaiting)] : []), ...(unread > 0 ? [words.unread(unread)] : [])].join(
    ' · ',
  );
