import type { ApiErrorCode, TurnErrorCode } from '../../../shared/errors.ts';

const apiErrors: Record<ApiErrorCode, string> = {
  invalid_request: 'The service did not understand the request.',
  invalid_json: 'The service did not understand the request.',
  workspace_required: 'This key belongs to no workspace, so the page can’t tell which chats to show.',
  unauthorized: 'This session has ended.',
  forbidden: 'This key may not do that.',
  workspace_forbidden: 'This key belongs to another workspace.',
  origin_forbidden: 'The service does not accept requests from this page’s address.',
  not_found: 'The service does not know how to do that.',
  chat_not_found: 'This chat no longer exists.',
  message_not_found: 'This message no longer exists.',
  workspace_not_found: 'This workspace no longer exists.',
  conflict: 'Something else changed this at the same moment.',
  idempotency_conflict: 'This message was sent before with other words.',
  body_too_large: 'The message is too large to send.',
  unsupported_media_type: 'The service did not understand the request.',
  wrong_host: 'The service does not answer at this address.',
  too_many_requests: 'Too many requests at once. Wait a moment and try again.',
  queue_full: 'Too many messages are waiting already. Let some be answered first.',
  internal_error: 'Something went wrong in the service.',
  storage_full: 'The disk is full, so the message could not be kept. Free some space and try again.',
  storage_unavailable: 'The disk could not be written, so the message was not kept.',
  shutting_down: 'The service is shutting down.',
};

const turnErrors: Record<TurnErrorCode, string> = {
  timed_out: 'The reply made no progress for too long and was given up.',
  interrupted: 'The service was interrupted again and again while it worked on this reply.',
  model_failed: 'The model could not make a reply.',
  agent_crashed: 'The assistant stopped unexpectedly while it worked on this reply.',
};

/** English, the language every other one is measured against: a language file has exactly these names. */
export const en = {
  app: 'Parley',
  you: 'You',
  assistant: 'Assistant',

  sidebar: {
    label: 'Chats and navigation',
    chats: 'Chats',
    newChat: 'New chat',
    show: 'Show chats',
    hide: 'Hide chats',
    empty: 'Your chats will be listed here.',
    loading: 'Loading chats…',
    more: 'Show older chats',
    working: 'Working',
    waiting: 'Waiting',
    failed: 'Failed',
    unknown: 'Status unknown while disconnected',
  },

  empty: {
    title: 'What can I do for you?',
    lead: 'Ask for a calculation, a date, some text work, or have something remembered.',
    examplesLabel: 'Examples',
    examples: [
      { kind: 'maths', title: 'Work something out', prompt: 'What’s 12.5% of 1,840?' },
      { kind: 'dates', title: 'Count the days', prompt: 'How many days until 3 March?' },
      {
        kind: 'text',
        title: 'Sort a list',
        prompt: 'Sort these alphabetically:\npears\napples\nquinces\nfigs',
      },
      { kind: 'notes', title: 'Keep a note', prompt: 'Remember that the spare key is with Anna' },
    ],
    model:
      'The built-in assistant answers, and nothing leaves this computer. Connecting a language model of your own comes in a later version.',
  },

  log: {
    label: 'Conversation',
    loading: 'Loading the conversation…',
    latest: 'Jump to latest',
    replied: (text: string) => `Assistant: ${text}`,
    replyFailed: (reason: string) => `The reply failed. ${reason}`,
    gone: 'This chat no longer exists.',
    goneHint: 'It may have been deleted by another program.',
  },

  message: {
    queued: 'Waiting for the reply before it',
    taken: 'Waiting for the assistant',
    sending: 'Sending…',
    unsent: 'Not sent yet. It goes out when the service can be reached again.',
    refused: (reason: string) => `Not sent. ${reason}`,
    retry: 'Try again',
    edit: 'Edit',
    thinking: 'Working on it…',
    writing: 'Writing…',
    interrupted: 'No news while disconnected. What had arrived is shown.',
    stopped: 'Stopped here.',
    stoppedBefore: 'Stopped before anything was written.',
    length: 'Cut off: the reply reached the model’s length limit.',
    stepLimit: 'Cut off: the reply reached the limit of steps.',
    failed: 'The reply failed',
    unfinished: 'This reply was not finished.',
    nothing: 'The reply is empty.',
    compacted: 'Folded into a summary for the model',
    chatMode: 'Chat mode',
  },

  step: {
    label: 'Steps',
    running: 'running',
    done: 'done',
    failed: 'failed',
    unfinished: 'not finished',
    input: 'Input',
    output: 'Result',
    error: 'What went wrong',
  },

  composer: {
    label: 'Message',
    placeholder: 'Ask anything',
    send: 'Send',
    stop: 'Stop',
    stopping: 'Stopping…',
    mode: 'Mode',
    agent: 'Agent',
    agentHint: 'May use tools',
    chat: 'Chat',
    chatHint: 'Answers from the conversation alone',
    keys: 'Enter to send, Shift + Enter for a new line',
    left: (count: string) => `${count} characters left`,
    over: (count: string) => `${count} characters too many`,
    stopFailed: 'The reply could not be stopped.',
  },

  code: { copy: 'Copy', copied: 'Copied', plain: 'text', block: 'Code', table: 'Table' },

  connection: {
    lost: 'No connection to Parley’s service. What you write is kept; this page reconnects by itself.',
    back: 'Connected again.',
  },

  session: {
    signingIn: 'Signing in…',
    noLink: 'Open Parley with a sign-in link',
    noLinkHint: 'This page only opens through the link that Parley prints when it starts.',
    used: 'This sign-in link has been used',
    usedHint: 'Each link opens Parley once, so a copy of it is worthless to anybody else.',
    expired: 'Your session has ended',
    expiredHint: 'Parley was probably restarted. Chats and anything you were writing are kept.',
    unreachable: 'Parley’s service can’t be reached',
    unreachableHint: 'Is it still running? This page keeps trying.',
    fresh: 'To get a fresh link, start Parley again in a terminal and open the link it prints:',
    command: 'npm run serve',
    keySummary: 'Sign in with the local key instead',
    keyHint: 'The key is printed at start too, and stands in connection.json in the data folder.',
    key: 'Local key',
    signIn: 'Sign in',
    badKey: 'That key was not accepted.',
    retry: 'Try again now',
  },

  apiErrors,
  turnErrors,
  unknownError: 'Something went wrong.',
};
