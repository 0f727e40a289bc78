import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  createNotifications,
  type NotifiedChat,
  type NotificationDeps,
} from '../../electron/notifications.ts';
import type { ReplyEnd } from '../../server/events/activity.ts';
import type { PendingApproval } from '../../server/events/activity.ts';

class Shown extends EventEmitter {
  readonly title: string;
  readonly body: string;
  isOpen = false;
  constructor({ title, body }: { title: string; body: string }) {
    super();
    this.title = title;
    this.body = body;
  }
  show(): void {
    this.isOpen = true;
  }
  close(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function setUp(over: Partial<NotificationDeps> = {}) {
  const all: Shown[] = [];
  const opened: (NotifiedChat | null)[] = [];
  const time = { now: 0 };
  const troubles: string[] = [];
  const notifications = createNotifications({
    create: (options) => {
      const made = new Shown(options);
      all.push(made);
      return made as unknown as ReturnType<NotificationDeps['create']>;
    },
    isSupported: () => true,
    isWanted: () => true,
    isInFront: () => false,
    open: (chat) => opened.push(chat),
    onTrouble: (reason) => void troubles.push(reason),
    clock: () => time.now,
    platform: 'linux',
    ...over,
  });
  return { notifications, opened, time, troubles, all, open: () => all.filter(({ isOpen }) => isOpen) };
}

const reply = (over: Partial<ReplyEnd> = {}): ReplyEnd => ({
  chatId: 'c1',
  workspaceId: 'w1',
  title: 'Rent',
  outcome: 'completed',
  text: 'It is 230.',
  ...over,
});

describe('a notification', () => {
  it('names the chat and begins the reply, and a click opens that chat', () => {
    const { notifications, open, opened } = setUp();
    notifications.notificationOf(reply());
    expect(open()).toMatchObject([{ title: 'Rent', body: 'It is 230.' }]);
    open()[0]?.emit('click');
    expect(opened).toEqual([{ chatId: 'c1', workspaceId: 'w1' }]);
  });

  it.each([
    ['linux', 'Is 1 &lt; 2 &amp;&amp; &quot;&lt;b&gt;x&lt;/b&gt;&quot;?'],
    ['win32', 'Is 1 < 2 && "<b>x</b>"?'],
    ['darwin', 'Is 1 < 2 && "<b>x</b>"?'],
  ] as const)('shows on %s what was written, which is no markup', (platform, body) => {
    const { notifications, open } = setUp({ platform });
    notifications.notificationOf(reply({ title: '<i>&', text: 'Is 1 < 2 && "<b>x</b>"?' }));
    notifications.ask({ id: 'q', ...reply(), tool: '<a href="file:///">', text: '' });
    expect(open()).toMatchObject([{ title: '<i>&', body }, {}]);
    expect(open()[1]?.body.includes('<')).toBe(platform !== 'linux');
  });

  it('says that a reply failed, and why', () => {
    const { notifications, open } = setUp();
    notifications.notificationOf(reply({ outcome: 'failed', text: 'The model did not answer.' }));
    expect(open()[0]?.body).toBe('No reply: The model did not answer.');
  });

  it.each([
    ['the person doesn’t want them', { isWanted: () => false }],
    ['a window is in front', { isInFront: () => true }],
    ['the system has none', { isSupported: () => false }],
  ])('isn’t shown when %s', (_why, over) => {
    const { notifications, all } = setUp(over);
    notifications.notificationOf(reply());
    expect(all).toEqual([]);
  });

  it('stands for all when many replies end at once, and opens the window', () => {
    const { notifications, open, opened } = setUp();
    for (let index = 0; index < 40; index += 1)
      notifications.notificationOf(reply({ title: `Chat ${index}` }));
    expect(open().map(({ title }) => title)).toEqual(['Chat 0', 'Chat 1', 'Chat 2', '37 replies are ready']);
    open().at(-1)?.emit('click');
    expect(opened).toEqual([null]);
  });

  it('is one a reply again after a while', () => {
    const { notifications, open, time } = setUp();
    for (let index = 0; index < 6; index += 1) notifications.notificationOf(reply());
    time.now = 60_000;
    notifications.notificationOf(reply({ title: 'Later' }));
    expect(open().at(-1)?.title).toBe('Later');
  });

  it('can still be clicked, and goes with the others, where it only left the screen for the list', () => {
    const { notifications, all, opened } = setUp({ platform: 'win32' });
    notifications.notificationOf(reply());
    const [shown] = all;
    shown?.emit('close');
    let closes = 0;
    shown?.on('close', () => (closes += 1));
    notifications.clear();
    expect(closes).toBe(1);
    shown?.emit('click');
    expect(opened).toEqual([{ chatId: 'c1', workspaceId: 'w1' }]);
  });

  it('goes when a window comes to the front', () => {
    const { notifications, open } = setUp();
    for (let index = 0; index < 5; index += 1) notifications.notificationOf(reply());
    expect(open()).not.toHaveLength(0);
    notifications.clear();
    expect(open()).toEqual([]);
  });
});

const question = (over: Partial<PendingApproval> = {}): PendingApproval => ({
  id: 'q1',
  chatId: 'c1',
  workspaceId: 'w1',
  title: 'Garden',
  tool: 'write_file',
  text: 'Writes plan.md, 12 lines.',
  ...over,
});

describe('a tool that needs an answer', () => {
  it('is named with what it wants and the chat, and a click opens that chat', () => {
    const { notifications, open, opened } = setUp();
    notifications.ask(question());
    notifications.ask(question({ id: 'q2', tool: 'ask_approval', text: 'Paint the fence?' }));
    notifications.ask(question({ id: 'q3', text: '' }));
    expect(open().map(({ title, body }) => [title, body])).toEqual([
      ['Garden', '“Write a file” needs your answer: Writes plan.md, 12 lines.'],
      ['Garden', 'A tool needs your answer: Paint the fence?'],
      ['Garden', '“Write a file” needs your answer'],
    ]);
    open()[0]?.emit('click');
    expect(opened).toEqual([{ chatId: 'c1', workspaceId: 'w1' }]);
  });

  it('is no news once it was answered, wherever that was', () => {
    const { notifications, open } = setUp();
    notifications.notificationOf(reply());
    notifications.ask(question());
    notifications.settle('q1');
    notifications.settle('q1');
    notifications.settle('unknown');
    expect(open().map(({ title }) => title)).toEqual(['Rent']);
  });

  it('isn’t told of while a window is in front', () => {
    const { notifications, all } = setUp({ isInFront: () => true });
    notifications.ask(question());
    notifications.settle('q1');
    expect(all).toEqual([]);
  });

  it('stands with others in one notification when many ask at once, which goes with the last of them', () => {
    const { notifications, open, opened } = setUp();
    for (let index = 0; index < 6; index += 1) notifications.ask(question({ id: `q${index}` }));
    expect(open().map(({ title }) => title)).toEqual([
      'Garden',
      'Garden',
      'Garden',
      '3 tools need your answer',
    ]);
    for (let index = 0; index < 5; index += 1) notifications.settle(`q${index}`);
    expect(open().map(({ title }) => title)).toEqual(['3 tools need your answer']);
    open()[0]?.emit('click');
    expect(opened).toEqual([null]);
    notifications.settle('q5');
    expect(open()).toEqual([]);
  });
});

describe('a system that doesn’t show notifications', () => {
  it('is told of with its reason, until it shows one', () => {
    const { notifications, all, troubles } = setUp({ platform: 'darwin' });
    expect(notifications.trouble()).toBeNull();
    notifications.notificationOf(reply());
    all[0]?.emit('failed', {}, 'not signed');
    expect(troubles).toEqual(['not signed']);
    expect(notifications.trouble()).toBe('not signed');
    notifications.notificationOf(reply());
    all[1]?.emit('show');
    expect(notifications.trouble()).toBeNull();
  });
});
