import { lasting } from './storage.ts';

/** Under what a chat that does not exist yet keeps its draft. */
export const NEW_CHAT_KEY = 'new';

const nameOf = (chatKey: string): string => `draft.${chatKey}`;

/** What was being written in a chat; empty when nothing was. */
export const readDraft = (chatKey: string): string => lasting.read(nameOf(chatKey)) ?? '';

/** Keeps what is being written in a chat; an empty text forgets it. */
export const writeDraft = (chatKey: string, text: string): void =>
  lasting.write(nameOf(chatKey), text === '' ? null : text);
