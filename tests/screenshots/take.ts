/**
 * `npm run screenshots`: the pictures of the README, in light and dark, of the built page over the real service. All that
 * is in them was asked of the offline assistant just now; only the search and the settings need no reply, and the tool that
 * asks first is called by a rehearsal.
 */
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import type { Chat } from '../../shared/api/chat.ts';
import { startTestService, type TestService } from '../e2e/support/service.ts';
import { SYSTEM_CHROMIUM } from '../support/system-chromium.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

/** What was asked in each chat, the newest last. */
const CHATS: readonly (readonly string[])[] = [
  ['Remember that the spare key is with Anna', 'Who has the spare key?'],
  ['What time is it in Tokyo when it is 10:00 in Paris?'],
  ['Convert 5 feet 11 inches to centimetres'],
  ['Make me a password of 20 characters'],
  ['Sort these alphabetically:\npears\napples\nquinces\nfigs'],
  ['How many days until 3 March 2027?', 'And how many of them are working days?'],
  ['Format this JSON: {"name":"Parley","offline":true,"ports":[4141,4160],"owner":{"name":"You"}}'],
  [
    'Show this as a table and sum the amount:\n\nitem,amount\nCoffee beans,18.40\nFilter papers,4.95\nNew kettle,62.00\nMugs,27.80',
    'What is 20% of 113.15?',
  ],
];

/** What the rehearsal plays: its first part answers the script itself, its second what is asked in the picture. */
const ASKING = [
  'What is new in our town?',
  '```rehearsal',
  '::speed max',
  'I can look things up on the town’s own page. Which news do you want?',
  '',
  '- events this week',
  '- road works',
  '- notices of the council',
  '---',
  '::speed max',
  'I’ll look at its page for that.',
  '::tool fetch_page {"url":"https://example.com/road-works"}',
  '```',
].join('\n');

const service = await startTestService();
const browser = await chromium.launch({
  ...(SYSTEM_CHROMIUM !== undefined && { executablePath: SYSTEM_CHROMIUM }),
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const asking = await ask(service);
  const last = await fill(service);
  const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(service.pageUrl);
  await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await takeAll(page, theme, last, asking);
  }
} finally {
  await browser.close();
  await service.close();
}

async function fill(parley: TestService): Promise<Chat> {
  let last: Chat | null = null;
  for (const questions of CHATS) {
    const chat = await parley.call<Chat>('POST', '/api/v1/chats', {});
    for (const content of questions) {
      await parley.call('POST', `/api/v1/chats/${chat.id}/messages`, { content });
      await settle(chat.id);
    }
    await parley.call('PATCH', `/api/v1/chats/${chat.id}`, { unread: false, pinned: questions === CHATS[0] });
    last = chat;
  }
  if (last === null) throw new Error('There is nothing to show.');
  return last;
}

/** A chat in which a tool waits for an answer. */
async function ask(parley: TestService): Promise<Chat> {
  await parley.call('PATCH', '/api/v1/settings', { webFetch: true });
  const chat = await parley.call<Chat>('POST', '/api/v1/chats', {});
  await parley.call('PATCH', `/api/v1/chats/${chat.id}`, { model: 'rehearsal' });
  await parley.call('POST', `/api/v1/chats/${chat.id}/messages`, { content: ASKING });
  await settle(chat.id);
  await parley.call('POST', `/api/v1/chats/${chat.id}/messages`, {
    content: 'Road works, please.',
  });
  return chat;
}

async function settle(chatId: string): Promise<void> {
  for (;;) {
    const { chat } = await service.call<{ chat: Chat }>('GET', `/api/v1/chats/${chatId}`);
    if (!['pending', 'processing', 'completed'].includes(chat.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function takeAll(page: Page, theme: string, chat: Chat, asking: Chat): Promise<void> {
  const save = async (name: string): Promise<void> => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${FOLDER}${name}-${theme}.png` });
  };
  const open = (fragment: string): Promise<unknown> => page.goto(`${service.baseUrl}/${fragment}`);
  await page.setViewportSize(WIDE);
  await open(`#/chats/${chat.id}`);
  await page.getByRole('article', { name: 'Assistant' }).last().waitFor();
  await save('conversation');
  await open(`#/chats/${asking.id}`);
  await page.getByRole('button', { name: /^Allow once/ }).waitFor();
  await save('asking');
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  await search.fill('key');
  await page.locator('mark').first().waitFor();
  await save('search');
  await search.fill('');
  await open('#/');
  await page.getByRole('list', { name: 'Examples' }).waitFor();
  await save('new-chat');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').waitFor();
  await save('palette');
  await page.keyboard.press('Escape');
  await open('#/settings/api');
  await page.getByRole('heading', { name: 'API access' }).waitFor();
  await save('settings');
  await page.setViewportSize(NARROW);
  await open(`#/chats/${chat.id}`);
  await page.getByRole('article', { name: 'Assistant' }).last().waitFor();
  await save('narrow');
}
