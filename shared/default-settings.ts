import type { Settings } from './api/settings.ts';

/** The default of each setting. */
export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  textSize: 'medium',
  wrapCode: false,
  sendKey: 'enter',
  defaultMode: 'agent',
  nameChats: true,
  instructions: null,
  turnTimeoutMinutes: 5,
  port: null,
  allowedOrigins: [],
  keepRunning: false,
  notifyReplies: true,
  checkSpelling: null,
  quickAskShortcut: null,
  certificateFile: null,
  webFetch: false,
  backupSchedule: 'never',
  backupsToKeep: 7,
};
