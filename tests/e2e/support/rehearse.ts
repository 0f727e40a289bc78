import type { Locator, Page } from '@playwright/test';
import type { StepApproval } from '../../../shared/api/message.ts';
import type { TestService } from './service.ts';
import { expect, type ChatPage } from './test.ts';

/** A new chat that plays such a script; resolves with its id. */
export async function rehearse(service: TestService, title: string, ...lines: string[]): Promise<string> {
  const { id } = await service.createChat();
  await service.call('PATCH', `/api/v1/chats/${id}`, { model: 'rehearsal' });
  await service.send(id, [title, '```rehearsal', '::speed max', ...lines, '```'].join('\n'));
  return id;
}

/** The open questions of the chat's reply, in order. */
export async function askedIn(service: TestService, chatId: string): Promise<StepApproval[]> {
  const steps = (await service.messages(chatId)).at(-1)?.steps ?? [];
  return steps.flatMap(({ approval }) => approval ?? []);
}

/** The cards of tools that ask, and the answers on the first of them. */
export interface AskingCards {
  all: Locator;
  card: Locator;
  once: Locator;
  always: Locator;
  deny: Locator;
}

/** The cards on a page. */
export const cardsOf = (page: Page): AskingCards => {
  const all = page.locator('[data-approval]');
  const card = all.first();
  return {
    all,
    card,
    once: card.getByRole('button', { name: /^Allow once/ }),
    always: card.getByRole('button', { name: /^Always allow/ }),
    deny: card.getByRole('button', { name: /^Don’t allow/ }),
  };
};

/** A chat that plays such a script, opened and waiting for an answer. */
export async function ask(
  page: Page,
  chat: ChatPage,
  service: TestService,
  ...lines: string[]
): Promise<{ id: string } & AskingCards> {
  const id = await rehearse(service, 'Plan the garden', ...lines);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const cards = cardsOf(page);
  await expect(cards.card).toBeVisible();
  return { id, ...cards };
}
