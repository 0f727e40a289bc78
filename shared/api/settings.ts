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

/** An origin of web pages, e.g. `https://example.com` or `http://localhost:5173`. */
const Origin = Type.String({
  pattern: '^https?://[^/?#\\s@]+$',
  maxLength: 300,
  description: 'an origin like "https://example.com", without a path',
});

/** Keys that work everywhere: `mod` (Cmd on a Mac, Ctrl elsewhere) or `alt`, perhaps `shift`, and one other key. */
const GlobalShortcut = Type.String({
  pattern: '^(mod\\+)?(alt\\+)?(?<=\\+)(shift\\+)?([a-z0-9]|space|f[1-9]|f1[0-2])$',
  maxLength: 40,
  description: 'keys like "mod+shift+space"',
});

/** What a person can set. Kept in the store; every window and the service itself go by it. */
export const Settings = Type.Object({
  /** How the window looks. `system` unless set. */
  theme: Type.Enum([...THEMES], { description: '"system", "light" or "dark"' }),
  /** `medium` unless set. */
  textSize: Type.Enum([...TEXT_SIZES], { description: '"small", "medium" or "large"' }),
  /** Whether long lines of code wrap. `false` unless set. */
  wrapCode: Type.Boolean({ description: 'true or false' }),
  /** `enter` unless set. */
  sendKey: Type.Enum([...SEND_KEYS], { description: '"enter" or "mod_enter"' }),
  /** The mode a new message starts with in the window. `agent` unless set. */
  defaultMode: Type.Enum([...MESSAGE_MODES], { description: '"agent" or "chat"' }),
  /** Whether a connected model names a chat once, after its first reply. `true` unless set. */
  nameChats: Type.Boolean({ description: 'true or false' }),
  /** After so many minutes without progress a turn fails with `timed_out`. 5 unless set; counts for the next turn. */
  turnTimeoutMinutes: Type.Integer({ minimum: 1, maximum: 120, description: 'a whole number from 1 to 120' }),
  /** The port to listen on from the next start; null, unless set: 4141 or the next that is free. */
  port: Type.Union([Type.Integer({ minimum: 1024, maximum: 65535 }), Type.Null()], {
    description: 'a whole number from 1024 to 65535, or null',
  }),
  /** Origins whose web pages may call the service; none unless set. Counts at once. */
  allowedOrigins: Type.Array(Origin, { maxItems: 50, description: 'a list of at most 50 origins' }),
  /** In the desktop app: closing the window leaves Parley running in the tray. `false` unless set. */
  keepRunning: Type.Boolean({ description: 'true or false' }),
  /** In the desktop app: a notification when a reply is ready or failed and no window is in front. `true` unless set. */
  notifyReplies: Type.Boolean({ description: 'true or false' }),
  /**
   * In the desktop app: whether spelling is checked. Null, unless set: as usual for the system, which is on on a Mac and off
   * elsewhere, where turning it on downloads a dictionary once.
   */
  checkSpelling: Type.Union([Type.Boolean(), Type.Null()], { description: 'true, false or null' }),
  /** In the desktop app: the keys that open the quick-ask window from anywhere; null, unless set: none. */
  quickAskShortcut: Type.Union([GlobalShortcut, Type.Null()], {
    description: 'keys like "mod+shift+space", with "mod" or "alt", or null',
  }),
  /** Whether agents have the tool that fetches web pages, which asks first. `false` unless set; counts for the next turn. */
  webFetch: Type.Boolean({ description: 'true or false' }),
});
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
};

/** Body of `PATCH /api/v1/settings`; what is absent stays as it is. All or nothing. */
export const UpdateSettingsBody = Type.Partial(Settings);
export type UpdateSettingsBody = Static<typeof UpdateSettingsBody>;

/** Answer of `GET` and `PATCH /api/v1/settings`; both need the scope `admin`. */
export const SettingsAnswer = Type.Object({ settings: Settings });
export type SettingsAnswer = Static<typeof SettingsAnswer>;
