import { Type, type Static } from 'typebox';
import { BACKUP_SCHEDULES, MESSAGE_MODES, SEND_KEYS, TEXT_SIZES, THEMES } from '../choices.ts';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../limits.ts';
import { choice, flag, list, object, orNull, whole } from './common.ts';

export type Theme = (typeof THEMES)[number];

export type SendKey = (typeof SEND_KEYS)[number];

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

export const Settings = object(
  'The settings. They are kept in the store and apply to every window and the service.',
  {
    theme: choice(THEMES, 'How the window looks. Default: `system`.'),
    textSize: choice(TEXT_SIZES, 'The text size of the window. Default: `medium`.'),
    wrapCode: flag('Whether long lines of code wrap. Default: `false`.'),
    sendKey: choice(SEND_KEYS, 'Which keys send a message. Default: `enter`.'),
    defaultMode: choice(MESSAGE_MODES, 'The mode of a new message in the window. Default: `agent`.'),
    nameChats: flag('Whether a connected model names a chat after its first reply. Default: `true`.'),
    instructions: orNull(Type.String({ minLength: 1, maxLength: MAX_AGENT_INSTRUCTIONS_CHARACTERS }), {
      description:
        'Instructions for every chat, which connected models read after those of the agent and before those of the project and the chat. Null (default): none. Applies from the next turn.',
      expected: 'a text, or null',
    }),
    turnTimeoutMinutes: whole(
      'After how many minutes without progress a turn fails with `timed_out`. Default: 5. Applies from the next turn.',
      { minimum: 1, maximum: 120 },
    ),
    port: orNull(Type.Integer({ minimum: 1024, maximum: 65535 }), {
      description: 'The port to listen on, from the next start. Null (default): 4141 or the next free one.',
      expected: 'a whole number from 1024 to 65535, or null',
    }),
    allowedOrigins: list(
      Origin,
      'Origins whose web pages may call the service. Default: none. Applies at once.',
      { maxItems: 50, expected: 'a list of at most 50 origins' },
    ),
    keepRunning: flag(
      'Desktop app: whether Parley keeps running in the tray when its window is closed. Default: `false`.',
    ),
    notifyReplies: flag(
      'Desktop app: whether to notify when a reply is ready or failed and no window is in front. Default: `true`.',
    ),
    checkSpelling: orNull(Type.Boolean(), {
      description:
        'Desktop app: whether to check spelling. Null (default): on a Mac yes, elsewhere no, because turning it on there downloads a dictionary once.',
      expected: 'true, false or null',
    }),
    quickAskShortcut: orNull(GlobalShortcut, {
      description: 'Desktop app: the global shortcut of the quick-ask window. Null (default): none.',
      expected: 'keys like "mod+shift+space", with "mod" or "alt", or null',
    }),
    certificateFile: orNull(Type.String({ minLength: 1, maxLength: 4_096 }), {
      description:
        'Path of a file (PEM or DER) with certificates that are trusted besides the system’s: for servers with a private or self-signed one. Null (default): none. Applies from the next request.',
      expected: 'the path of a file, or null',
    }),
    webFetch: flag(
      'Whether agents get the tool that fetches web pages, which asks first. Default: `false`. Applies from the next turn.',
    ),
    backupSchedule: choice(
      BACKUP_SCHEDULES,
      'How often Parley makes a backup by itself while it runs; the first one within minutes. Default: `never`.',
    ),
    backupsToKeep: whole(
      'How many scheduled backups to keep; the next one deletes the oldest. Default: 7. Other backups stay until somebody deletes them.',
      { minimum: 1, maximum: 100 },
    ),
  },
);
export type Settings = Static<typeof Settings>;

/** Body of `PATCH /api/v1/settings`. Absent fields stay as they are. Either all changes are made or none. */
export const UpdateSettingsBody = Type.Partial(Settings);
export type UpdateSettingsBody = Static<typeof UpdateSettingsBody>;

/** Answer of `GET` and `PATCH /api/v1/settings`; both need the scope `admin`. */
export const SettingsAnswer = Type.Object({ settings: Settings });
export type SettingsAnswer = Static<typeof SettingsAnswer>;
