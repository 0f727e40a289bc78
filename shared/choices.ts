/** What clients choose between, and what both sides compare, apart from the schemas: the window need not load those. */

/**
 * `idle`: nothing waits. `pending`: a message waits for a worker. `processing`: a worker has it. `completed`: the reply
 * is stored, follow-up work is under way. `failed`: the reply could not be made. `stopped`: somebody stopped it.
 */
export const CHAT_STATUSES = ['idle', 'pending', 'processing', 'completed', 'failed', 'stopped'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];

/** Whether something is still to be done in a chat of that status; it may be work that nobody waits for, such as naming the chat. */
export const isUnsettled = (status: ChatStatus): boolean =>
  status === 'pending' || status === 'processing' || status === 'completed';

/** How far a message is; `Message` says what each means. */
export const MESSAGE_STATUSES = ['pending', 'streaming', 'complete', 'error', 'compacted'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Whether a message of that status still waits or is being written. */
export const isUnfinished = (status: MessageStatus): boolean =>
  status === 'pending' || status === 'streaming';

/** `agent`: the model may use tools. `chat`: it answers from the conversation alone. */
export const MESSAGE_MODES = ['agent', 'chat'] as const;

/** `chat`: only chats and messages, plus what `reach` or `approve` of the key allow. `admin`: also keys, settings, workspaces, backups and the request list. */
export const KEY_SCOPES = ['chat', 'admin'] as const;

/** Kinds of Parley's own tools. */
export const TOOL_GROUPS = ['built_in', 'files', 'web'] as const;

/** What a skill is like; see shared/api/skill.ts. */
export const SKILL_STATES = ['off', 'on', 'changed', 'broken'] as const;

/** `system`: light or dark, like the system. */
export const THEMES = ['system', 'light', 'dark'] as const;

/** Scales everything in the window, not only text. */
export const TEXT_SIZES = ['small', 'medium', 'large'] as const;

/** `enter`: Enter sends and Shift+Enter breaks the line. `mod_enter`: Ctrl or Cmd with Enter sends, Enter breaks. */
export const SEND_KEYS = ['enter', 'mod_enter'] as const;

/** How often Parley makes a backup by itself. */
export const BACKUP_SCHEDULES = ['never', 'daily', 'weekly'] as const;

/** Marks a file as an export. */
export const EXPORT_FORMAT = 'parley-export';

/** The `error` of a step that was not allowed. */
export const DENIED_WORDS = 'The answer was no, so this was not done.';
/** The `error` of a step that would have asked, when the message said `"onApproval": "deny"`. */
export const UNASKED_WORDS =
  'This asks a person first, and the message was sent with “onApproval”: “deny”, so it was not done.';
/** The `error` of a step that would have asked, when a schedule sent the message. */
export const UNATTENDED_WORDS =
  'This asks a person first, and a schedule sent the message, so it was not done. Allow the tool in the schedule if it should be.';
/** The `error` of a step that nobody answered in time. */
export const EXPIRED_WORDS = 'Nobody answered in time, so this was not done.';

/** The lists whose changes event streams report. */
export const LIST_NAMES = ['agents', 'connections', 'projects', 'prompts', 'workspaces'] as const;
export type ListName = (typeof LIST_NAMES)[number];
