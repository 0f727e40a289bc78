/** Asking and editing messages, as a person does. */
import type { Locator, Page } from '@playwright/test';
import { type ChatPage, expect } from './test.ts';

/** The box in which a message is edited. */
export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Edited text' });
/** The last of them. */
export const last = (articles: Locator): Locator => articles.last();

/** Edits a message and sends it again. */
export async function edit(page: Page, message: Locator, text: string): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(box(page)).toBeFocused();
  await box(page).fill(text);
  await box(page).press('Enter');
  await expect(box(page)).toBeHidden();
}

/** Asks, and waits until the reply contains the figure. */
export async function ask(chat: ChatPage, text: string, figure: string): Promise<void> {
  const before = await chat.replies.count();
  await chat.say(text);
  await expect(chat.replies).toHaveCount(before + 1);
  await expect(last(chat.replies)).toContainText(figure);
  await expect(chat.stop).toBeHidden();
}
