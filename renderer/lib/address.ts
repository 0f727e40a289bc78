/**
 * The address's fragment says what the window shows, so that reload, back and forward work: `#/`, `#/chats/<id>`,
 * `#/chats/<id>/<messageId>`, `#/settings/<section>`.
 */

import { desktop } from './desktop.ts';

/** Parts of the settings, in the order they are listed. */
export const SETTINGS_SECTIONS = [
  'appearance',
  'general',
  'desktop',
  'models',
  'agents',
  'tools',
  'prompts',
  'schedules',
  'notes',
  'data',
  'api',
  'about',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** The sections that apply here: a browser has no desktop settings. */
export const listedSections = (isDesktop = desktop !== null): readonly SettingsSection[] =>
  SETTINGS_SECTIONS.filter((section) => isDesktop || section !== 'desktop');

/** What an address shows: a chat (null: a new one), at a message if one is named, or the settings. */
export type Place =
  | { view: 'chat'; chatId: string | null; messageId?: string }
  | { view: 'settings'; section: SettingsSection };

const CHAT = /^#\/chats\/([^/]+)(?:\/([^/]+))?$/;
const SETTINGS = /^#\/settings(?:\/([^/]+))?$/;

/** The place a fragment names; a new chat if it names none. */
export function placeIn(fragment: string, isDesktop = desktop !== null): Place {
  const [, chat, message] = CHAT.exec(fragment) ?? [];
  const chatId = decode(chat);
  if (chatId !== null) {
    const messageId = decode(message);
    return messageId === null ? { view: 'chat', chatId } : { view: 'chat', chatId, messageId };
  }
  const settings = SETTINGS.exec(fragment);
  if (settings !== null) {
    const section = SETTINGS_SECTIONS.find((name) => name === settings[1]) ?? 'appearance';
    return { view: 'settings', section: section === 'desktop' && !isDesktop ? 'general' : section };
  }
  return { view: 'chat', chatId: null };
}

/** The fragment that names a place. */
export function fragmentTo(place: Place): string {
  if (place.view === 'settings') return `#/settings/${place.section}`;
  const { chatId, messageId } = place;
  if (chatId === null) return '#/';
  const chat = `#/chats/${encodeURIComponent(chatId)}`;
  return messageId === undefined ? chat : `${chat}/${encodeURIComponent(messageId)}`;
}

/** The chat a fragment names, or null for a new chat and for places that aren't chats. */
export function chatIn(fragment: string): string | null {
  const place = placeIn(fragment);
  return place.view === 'chat' ? place.chatId : null;
}

/** The fragment that names a chat; null is a new chat. */
export const fragmentOf = (chatId: string | null): string => fragmentTo({ view: 'chat', chatId });

function decode(part: string | undefined): string | null {
  if (part === undefined) return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
