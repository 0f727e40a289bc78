import { expect, test } from './support/desktop.ts';

test('opens on the chat page, signed in, and answers with no network', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  await chat.say('What is 12.5% of 1840?');
  await expect(chat.replies.last()).toContainText('230');
});
