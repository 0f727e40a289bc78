import type { MessageMode } from '../../shared/api/message.ts';
import { ofThisTab } from '../lib/storage.ts';
import type { Opening } from './outbox.svelte.ts';

/** A person's choices in the composer of one chat; what a chat starts with, only until it exists. */
export interface ChatChoice extends Opening {
  mode?: MessageMode;
}

const STORED_AS = 'choices';
const NONE: ChatChoice = {};

/** Choices in the composer, as long as this tab lives. */
export class Choices {
  #all = $state.raw<Readonly<Record<string, ChatChoice>>>(readStored());

  of(chatKey: string): ChatChoice {
    return this.#all[chatKey] ?? NONE;
  }

  choose(chatKey: string, choice: ChatChoice): void {
    this.#set({ ...this.#all, [chatKey]: { ...this.of(chatKey), ...choice } });
  }

  /** The chat of a key exists now: its mode moves along, the rest is stored with the chat. */
  move(from: string, to: string): void {
    const { [from]: choice, ...others } = this.#all;
    if (!choice) return;
    this.#set(choice.mode === undefined ? others : { ...others, [to]: { mode: choice.mode } });
  }

  #set(all: Readonly<Record<string, ChatChoice>>): void {
    this.#all = all;
    ofThisTab.write(STORED_AS, JSON.stringify(all));
  }
}

function readStored(): Record<string, ChatChoice> {
  const stored = ofThisTab.readJson(STORED_AS);
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, ChatChoice>) : {};
}
