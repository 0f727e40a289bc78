/**
 * The address's fragment says what the window shows, so that reload, back and forward work: `#/`, `#/chats/<id>`,
 * `#/chats/<id>/<messageId>`, `#/settings/<section>`.
 */

import { desktop } from './desktop.ts';
import { attempt } from '../../shared/attempt.ts';

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
export type PageAddress =
  | { view: 'chat'; chatId: string | null; messageId?: string }
  | { view: 'settings'; section: SettingsSection };

const CHAT = /^#\/chats\/([^/]+)(?:\/([^/]+))?$/;
const SETTINGS = /^#\/settings(?:\/([^/]+))?$/;

/** The route a fragment names; a new chat if it names none. */
export function routeIn(fragment: string, isDesktop = desktop !== null): PageAddress {
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

/** The fragment that names a route. */
export function fragmentTo(route: PageAddress): string {
  if (route.view === 'settings') return `#/settings/${route.section}`;
  const { chatId, messageId } = route;
  if (chatId === null) return '#/';
  const chat = `#/chats/${encodeURIComponent(chatId)}`;
  return messageId === undefined ? chat : `${chat}/${encodeURIComponent(messageId)}`;
}

/** The chat a fragment names, or null for a new chat and for routes that aren't chats. */
export function chatIn(fragment: string): string | null {
  const route = routeIn(fragment);
  return route.view === 'chat' ? route.chatId : null;
}

/** The fragment that names a chat; null is a new chat. */
export const fragmentOf = (chatId: string | null): string => fragmentTo({ view: 'chat', chatId });

const decode = (part: string | undefined): string | null =>
  part === undefined ? null : attempt(() => decodeURIComponent(part), null);
