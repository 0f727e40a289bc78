import type { ImportResult } from '../../shared/api/data.ts';
import { exportedChat, exportFileOf, replied, said } from '../support/exported.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

const times = (text: string, characters: number): string => text.repeat(Math.ceil(characters / text.length));
const inTable = (text: string): string => `| a |\n|---|\n| ${text} |`;
/** Each of them once froze the page, for seconds or for good. */
const HEAVY = [
  `$\\def\\a#1{#1#1}${'\\a{'.repeat(120)}x${'}'.repeat(120)}$`,
  `$${'\\hat{'.repeat(60)}x${'}^2'.repeat(60)}$`,
  inTable(times('$$a', 100_000)),
  inTable(times('a_', 100_000)),
  inTable(times('<a ', 100_000)),
  times('\n$$', 190_000),
  times('x___', 190_000),
  times('_x_<a', 190_000),
  `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${times('|\n', 100_000)}`,
  times('`a` ', 190_000),
  `\`\`\`ini\n${times('QUJD+/', 49_000)}\n\`\`\``,
  `\`\`\`js\n${times('/*"', 49_000)}\n\`\`\``,
];

/** A chat whose replies these are. */
async function importReplies(service: TestService, replies: readonly string[]): Promise<string> {
  const messages = replies.flatMap((content, index) => {
    const question = said(`Question ${index}`);
    return [question, replied(content, question.id)];
  });
  const file = exportFileOf(exportedChat(messages));
  const { chatIds } = await service.call<ImportResult>('POST', '/api/v1/import', file);
  return chatIds[0] ?? '';
}

test('a chat whose reply is heavy to draw can be opened and used, and what stands beside that is drawn', async ({
  page,
  service,
  chat,
}) => {
  test.setTimeout(180_000);
  const ids: string[] = [];
  for (const heavy of HEAVY)
    ids.push(await importReplies(service, [`Before.\n\n${heavy}`, 'Behind: **bold** and $x^2$']));
  await chat.open(service.pageUrl);
  for (const id of ids) {
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.replies.last()).toContainText('Behind');
    await chat.message.fill(`typed in ${id}`);
    await expect(chat.message).toHaveValue(`typed in ${id}`);
    await expect(chat.replies.last().locator('strong')).toHaveText('bold');
    await expect(chat.replies.last().locator('.katex')).toHaveCount(1);
    await expect(chat.replies.first()).toContainText('Before.');
  }
});
