import type { Message } from '../../shared/api/message.ts';
import { apiOf, badgeOf, ONE_AWAITING, ONE_UNREAD } from './support/desktop-api.ts';
import { expect, test, type Desktop } from './support/desktop.ts';

const lookAway = (desktop: Desktop): Promise<void> =>
  desktop.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  });

test('tells of replies and of tools that need an answer while nobody looks, and a click opens the chat', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const { call, set, ask } = apiOf(desktop);

  await test.step('not while the window is in front, nor when the person doesn’t want it', async () => {
    await chat.say('What is 2 + 2?');
    await expect(chat.replies.last()).toContainText('4');
    expect(await desktop.notifications()).toEqual([]);
    await set({ notifyReplies: false });
    await lookAway(desktop);
    const { id } = await ask('What is 3 + 3?');
    await expect.poll(() => badgeOf(desktop)).toBe(ONE_UNREAD);
    expect(await desktop.notifications()).toEqual([]);
    await call('DELETE', `/api/v1/chats/${id}`);
    await set({ notifyReplies: true });
  });

  await test.step('a reply, in the workspace of its chat', async () => {
    await lookAway(desktop);
    const asked = await ask('What is 12.5% of 1840?');
    await expect.poll(() => desktop.notifications()).toHaveLength(1);
    const [notification] = await desktop.notifications();
    expect(notification?.title).toContain('12.5%');
    expect(notification?.body).toContain('230');
    await desktop.clickNotification(0);
    await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
    await expect(chat.replies.last()).toContainText('230');
    expect(await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())).toBe(
      true,
    );

    // A chat of another workspace opens in that one.
    const { workspace } = await call<{ workspace: { id: string } }>('POST', '/api/v1/workspaces', {
      name: 'Work',
    });
    const { apiKey } = await call<{ apiKey: string }>('POST', '/api/v1/keys', {
      name: 'w',
      scope: 'chat',
      workspaceId: workspace.id,
    });
    await lookAway(desktop);
    const origin = await desktop.origin();
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const made = (await (await fetch(`${origin}/api/v1/chats`, { method: 'POST', headers })).json()) as {
      id: string;
    };
    await fetch(`${origin}/api/v1/chats/${made.id}/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content: 'What is 5 + 6?' }),
    });
    await expect.poll(() => desktop.notifications()).toHaveLength(2);
    await desktop.clickNotification(1);
    await expect(chat.replies.last()).toContainText('11');
    await expect(chat.page.getByRole('button', { name: /Work/ }).first()).toBeVisible();
  });

  await test.step('a tool that needs an answer, which counts until it was answered', async () => {
    await lookAway(desktop);
    const { id } = await call<{ id: string }>('POST', '/api/v1/chats');
    await call('PATCH', `/api/v1/chats/${id}`, { model: 'rehearsal' });
    const content = 'The garden\n```rehearsal\n::speed max\n::approve Paint the fence?\nPainted.\n```';
    await call('POST', `/api/v1/chats/${id}/messages`, { content });
    await expect.poll(() => desktop.notifications()).toHaveLength(3);
    const notification = (await desktop.notifications()).at(-1);
    expect(notification).toMatchObject({ title: 'The garden' });
    expect(notification?.body).toBe('A tool needs your answer: Paint the fence?');
    await expect.poll(() => badgeOf(desktop)).toBe(ONE_AWAITING);
    await desktop.clickNotification(2);
    await expect(chat.page).toHaveURL(new RegExp(`#/chats/${id}`));
    const { messages } = await call<{ messages: Message[] }>('GET', `/api/v1/chats/${id}/messages`);
    const approvalId = messages.at(-1)?.steps?.[0]?.approval?.id ?? '';
    await lookAway(desktop);
    await call('POST', `/api/v1/chats/${id}/approvals/${approvalId}`, { decision: 'approve' });
    await expect.poll(() => badgeOf(desktop)).toBe(ONE_UNREAD);
  });
});
