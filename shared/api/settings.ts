import { Type, type Static } from 'typebox';
import { MESSAGE_MODES } from './message.ts';

/** `system`: light or dark, as the system is. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Of everything in the window, not of texts alone. */
export const TEXT_SIZES = ['small', 'medium', 'large'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

/** `enter`: Enter sends and Shift+Enter breaks the line. `mod_enter`: Ctrl or Cmd with Enter sends, Enter breaks. */
export const SEND_KEYS = ['enter', 'mod_enter'] as const;
export type SendKey = (typeof SEND_KEYS)[number];

/** How often a backup is made by itself. */
export const BACKUP_SCHEDULES = ['never', 'daily', 'weekly'] as const;
export type BackupScheduleName = (typeof BACKUP_SCHEDULES)[number];

/** An origin of web pages, e.g. `https://example.com` or `http://localhost:5173`. */
const Origin = Type.String({
  pattern: '^https?://[^/?#\\s@]+$',
  maxLength: 300,
  expected: 'an origin like "https://example.com", without a path',
});

/** Keys that work everywhere: `mod` (Cmd on a Mac, Ctrl elsewhere) or `alt`, perhaps `shift`, and one other key. */
const GlobalShortcut = Type.String({
  pattern: '^(mod\\+)?(alt\\+)?(?<=\\+)(shift\\+)?([a-z0-9]|space|f[1-9]|f1[0-2])$',
  maxLength: 40,
  expected: 'keys like "mod+shift+space"',
});

export const Settings = Type.Object(
  {
    theme: Type.Enum([...THEMES], {
      description: 'How the window looks. `system` unless set.',
      expected: '"system", "light" or "dark"',
    }),
    textSize: Type.Enum([...TEXT_SIZES], {
      description: '`medium` unless set.',
      expected: '"small", "medium" or "large"',
    }),
    wrapCode: Type.Boolean({
      description: 'Whether long lines of code wrap. `false` unless set.',
      expected: 'true or false',
    }),
    sendKey: Type.Enum([...SEND_KEYS], {
      description: '`enter` unless set.',
      expected: '"enter" or "mod_enter"',
    }),
    defaultMode: Type.Enum([...MESSAGE_MODES], {
      description: 'The mode a new message starts with in the window. `agent` unless set.',
      expected: '"agent" or "chat"',
    }),
    nameChats: Type.Boolean({
      description: 'Whether a connected model names a chat once, after its first reply. `true` unless set.',
      expected: 'true or false',
    }),
    turnTimeoutMinutes: Type.Integer({
      description:
        'After so many minutes without progress a turn fails with `timed_out`. 5 unless set; counts for the next turn.',
      minimum: 1,
      maximum: 120,
      expected: 'a whole number from 1 to 120',
    }),
    port: Type.Union([Type.Integer({ minimum: 1024, maximum: 65535 }), Type.Null()], {
      description:
        'The port to listen on from the next start; null, unless set: 4141 or the next that is free.',
      expected: 'a whole number from 1024 to 65535, or null',
    }),
    allowedOrigins: Type.Array(Origin, {
      description: 'Origins whose web pages may call the service; none unless set. Counts at once.',
      maxItems: 50,
      expected: 'a list of at most 50 origins',
    }),
    keepRunning: Type.Boolean({
      description:
        'In the desktop app: closing the window leaves Parley running in the tray. `false` unless set.',
      expected: 'true or false',
    }),
    notifyReplies: Type.Boolean({
      description:
        'In the desktop app: a notification when a reply is ready or failed and no window is in front. `true` unless set.',
      expected: 'true or false',
    }),
    checkSpelling: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'In the desktop app: whether spelling is checked. Null, unless set: as usual for the system, which is on on a Mac and off elsewhere, where turning it on downloads a dictionary once.',
      expected: 'true, false or null',
    }),
    quickAskShortcut: Type.Union([GlobalShortcut, Type.Null()], {
      description:
        'In the desktop app: the keys that open the quick-ask window from anywhere; null, unless set: none.',
      expected: 'keys like "mod+shift+space", with "mod" or "alt", or null',
    }),
    webFetch: Type.Boolean({
      description:
        'Whether agents have the tool that fetches web pages, which asks first. `false` unless set; counts for the next turn.',
      expected: 'true or false',
    }),
    backupSchedule: Type.Enum([...BACKUP_SCHEDULES], {
      description:
        'How often a backup is made by itself while Parley runs, the first within minutes. `never` unless set.',
      expected: '"never", "daily" or "weekly"',
    }),
    backupsToKeep: Type.Integer({
      description:
        'How many scheduled backups are kept; the oldest go with the next one that is made. 7 unless set. Others stay until somebody deletes them.',
      minimum: 1,
      maximum: 100,
      expected: 'a whole number from 1 to 100',
    }),
  },
  { description: 'What a person can set. Kept in the store; every window and the service itself go by it.' },
);
export type Settings = Static<typeof Settings>;

/** What each setting is until somebody sets it. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  textSize: 'medium',
  wrapCode: false,
  sendKey: 'enter',
  defaultMode: 'agent',
  nameChats: true,
  turnTimeoutMinutes: 5,
  port: null,
  allowedOrigins: [],
  keepRunning: false,
  notifyReplies: true,
  checkSpelling: null,
  quickAskShortcut: null,
  webFetch: false,
  backupSchedule: 'never',
  backupsToKeep: 7,
};

/** Body of `PATCH /api/v1/settings`; what is absent stays as it is. All or nothing. */
export const UpdateSettingsBody = Type.Partial(Settings);
export type UpdateSettingsBody = Static<typeof UpdateSettingsBody>;

/** Answer of `GET` and `PATCH /api/v1/settings`; both need the scope `admin`. */
export const SettingsAnswer = Type.Object({ settings: Settings });
export type SettingsAnswer = Static<typeof SettingsAnswer>;
