import { describe, expect, it } from 'vitest';
import { createChat, type NewChat } from '../../server/store/chat-repository.ts';
import { createMessage } from '../../server/store/message-repository.ts';
import { createWorkspace } from '../../server/store/workspace-repository.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import { startSharedService, type TestAnswer } from '../support/service.ts';
import { storedChat, storedMessage } from '../support/stored.ts';

let workspaceNumber = 0;
let messageNumber = 0;

const api = await startSharedService();

/** A workspace of its own for a test, reached with an unbound key. */
async function openWorkspace(): Promise<{
  chat: (title: string, changes?: Partial<NewChat>) => Promise<string>;
  message: (chatId: string, content: string) => Promise<string>;
  run: (sql: string, params: string[]) => Promise<unknown>;
  search: (q: string, query?: string) => Promise<SearchResults>;
  /** The texts found, matches in brackets. */
  texts: (q: string) => Promise<string[]>;
  request: (query: string) => Promise<TestAnswer>;
}> {
  workspaceNumber += 1;
  const { store, keys } = api.service;
  const workspaceId = `workspace-${workspaceNumber}`;
  const at = (): string => new Date(1_000_000_000_000 + messageNumber * 1000).toISOString();
  await store.write((writer) =>
    createWorkspace(writer, { id: workspaceId, name: workspaceId, createdAt: at() }),
  );
  const { text: key } = await keys.create({
    kind: 'person',
    name: 'x',
    scope: 'chat',
    workspaceId,
    expiresAt: null,
  });
  const request = (query: string): Promise<TestAnswer> => api.get(`/api/v1/search${query}`, { key });
  const search = async (q: string, query = ''): Promise<SearchResults> => {
    const answer = await request(`?q=${encodeURIComponent(q)}${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json<SearchResults>();
  };
  return {
    request,
    search,
    run: (sql, params) => store.write((writer) => writer.run(sql, params)),
    texts: async (q) =>
      (await search(q)).messages.map(({ snippet }) =>
        snippet.map(({ text, match }) => (match ? `[${text}]` : text)).join(''),
      ),
    async chat(title, changes = {}) {
      messageNumber += 1;
      const id = `chat-${messageNumber}`;
      await store.write((writer) =>
        createChat(
          writer,
          storedChat({ id, workspaceId, title, createdAt: at(), updatedAt: at(), ...changes }),
        ),
      );
      return id;
    },
    async message(chatId, content) {
      messageNumber += 1;
      const id = `message-${messageNumber}`;
      await store.write((writer) => {
        createMessage(writer, storedMessage({ id, chatId, workspaceId, content, createdAt: at() }));
      });
      return id;
    },
  };
}

describe('GET /api/v1/search', () => {
  it('finds a message at once after it was sent, and its reply', async () => {
    const chat = await api.createChat();
    await api.send(chat.id, 'What is 6 * 7 marmalades?');
    await api.settled(chat.id);
    const { messages, hasMore } = (await api.get('/api/v1/search?q=marmalades')).json<SearchResults>();
    expect(hasMore).toBe(false);
    const sent = messages.find(({ role }) => role === 'user');
    expect(sent).toEqual({
      messageId: (await api.messages(chat.id))[0]?.id,
      chatId: chat.id,
      chatTitle: 'What is 6 * 7 marmalades?',
      role: 'user',
      createdAt: expect.any(String) as string,
      snippet: [
        { text: 'What is 6 * 7 ', match: false },
        { text: 'marmalades', match: true },
        { text: '?', match: false },
      ],
    });
  });

  it('wants every word, in any case and without diacritics; the last may be the start of one', async () => {
    const { chat, message, texts } = await openWorkspace();
    const id = await chat('x');
    await message(id, 'Der Müller trägt Mehl');
    await message(id, 'a miller carries flour');
    expect(await texts('MULLER')).toEqual(['Der [Müller] trägt Mehl']);
    expect(await texts('mehl mül')).toEqual(['Der [Müller] trägt [Mehl]']);
    expect(await texts('mül mehl')).toEqual([]);
    expect(await texts('  müller\t\nflour ')).toEqual([]);
  });

  it.each(['', '   ', '"', '***', '"" -', '\u0000', '---', '(', "'"])(
    'finds nothing, without an error, for %j',
    async (q) => {
      const { chat, message, search } = await openWorkspace();
      await message(await chat('" * 😀'), '" * - 😀 (');
      expect(await search(q)).toEqual({ messages: [], chats: [], hasMore: false });
    },
  );

  it.each([
    ['"quoted words"', 'some "[quoted] [words]" here'],
    ['one OR two', '[one] [OR] [two]'],
    ['NOT this', '[NOT] [this]'],
    ['red NEAR/5 far', '[red] [NEAR/5] [far]'],
    ['content:secret', '[content:secret]'],
    ['-minus', '-[minus]'],
    ['star*fish', '[star fish]'],
    ['^first', 'the [first]'],
    ["don't", "I [don't] know"],
    ["'; DROP TABLE messages; --", "'; [DROP] [TABLE] [messages]; --"],
    ['C++', '[C++] is a language'],
    ['a->b', 'it is [a->b] here'],
    ['100%', '[100]% of_it'],
    ['😀', 'oh [😀] no'],
  ])('takes %s for plain text', async (q, found) => {
    const { chat, message, texts } = await openWorkspace();
    const id = await chat('x');
    await message(id, found.replace(/[[\]]/g, ''));
    await message(id, 'something else');
    expect(await texts(q)).toEqual([found]);
  });

  it.each([
    ['天気', '今日は[天気]がいい'],
    ['天気 いい', '今日は[天気]が[いい]'],
    ['Tokyo 天気', '[tokyo]の[天気]'],
    ['한국', '나는 [한국]사람'],
    ['สวัสดี', 'ครับ[สวัสดี]ครับ'],
    ['100%天', '[100%天]'],
    ['天_気', '[天_気]'],
  ])('finds %s within writing that has no spaces', async (q, found) => {
    const { chat, message, texts } = await openWorkspace();
    const id = await chat('x');
    await message(id, found.replace(/[[\]]/g, ''));
    await message(id, '1000 天x気 tenki');
    expect(await texts(q)).toEqual([found]);
  });

  it('marks the words rightly behind any other characters, and in text with all the odd ones', async () => {
    const { chat, message, texts } = await openWorkspace();
    const id = await chat('x');
    await message(id, '日本語 😀 e\u0301 \u{1F468}\u200d\u{1F469} harbour \u0002\u0003 end');
    await message(id, 'nul \u0000 and a half \ud83d surrogate "harbour" \\n');
    expect((await texts('harbour')).sort()).toEqual([
      'nul and a half \ud83d surrogate "[harbour]" \\n',
      '日本語 😀 e\u0301 \u{1F468}\u200d\u{1F469} [harbour] end',
    ]);
  });

  it('shows the part of a long text where the words are', async () => {
    const { chat, message, texts } = await openWorkspace();
    const filler = 'lorem ipsum dolor '.repeat(500);
    await message(await chat('x'), `${filler} the lighthouse keeper ${filler}`);
    const [text = ''] = await texts('lighthouse keeper');
    expect(text).toMatch(/^….*\[lighthouse\] \[keeper\].*…$/);
    expect(text.length).toBeLessThan(200);
  });

  it('shows the beginning of a word that is longer than what is shown', async () => {
    const { chat, message, texts } = await openWorkspace();
    await message(await chat('Keys'), `The token is ${'abc123'.repeat(50)}, and no other.`);
    expect(await texts('abc')).toEqual([`The token is [${'abc123'.repeat(28).slice(0, 167)}]…`]);
  });

  it('puts the whole phrase before scattered words, and a fitting title before others', async () => {
    const { chat, message, search } = await openWorkspace();
    const id = await chat('x');
    const phrase = await message(id, 'we saw the red boat in the old harbour today');
    const scattered = await message(id, 'the boat that we saw today in the harbour was red');
    const far = await message(id, `boat ${'and so on '.repeat(60)} red`);
    expect((await search('red boat')).messages.map(({ messageId }) => messageId)).toEqual([
      phrase,
      scattered,
      far,
    ]);
    const other = await message(await chat('x'), 'about the windmill');
    const titled = await message(await chat('The windmill'), 'about the windmill');
    await message(await chat('x'), 'about the windmill');
    const found = (await search('windmill')).messages.map(({ messageId }) => messageId);
    expect(found[0]).toBe(titled);
    expect(found.at(-1)).toBe(other);
  });

  it('leaves deleted chats and messages out, and tells those of versions not shown', async () => {
    const { chat, message, search, run } = await openWorkspace();
    const kept = await chat('kept');
    const shown = await message(kept, 'lighthouse shown');
    const hidden = await message(kept, 'lighthouse hidden');
    const deleted = await message(kept, 'lighthouse deleted');
    const gone = await chat('lighthouse gone');
    await message(gone, 'lighthouse in a deleted chat');
    await run('UPDATE messages SET hidden_by = ? WHERE id = ?', [shown, hidden]);
    await run('UPDATE messages SET deleted_at = ? WHERE id = ?', ['2026-01-01T00:00:00.000Z', deleted]);
    await run('UPDATE chats SET deleted_at = ? WHERE id = ?', ['2026-01-01T00:00:00.000Z', gone]);
    const { messages, chats } = await search('lighthouse');
    expect(messages.map((hit) => [hit.messageId, hit.hidden]).sort()).toEqual(
      [
        [shown, undefined],
        [hidden, true],
      ].sort(),
    );
    expect(chats).toEqual([]);
  });

  it('tells chats by their title, few, newest change first, archived ones too', async () => {
    const { chat, search } = await openWorkspace();
    for (let index = 0; index < 7; index += 1) {
      await chat(`Café Zürich ${index}`, {
        archived: index === 6,
        updatedAt: `2026-01-0${index + 1}T00:00:00.000Z`,
      });
    }
    await chat('Tea');
    await chat('Modern C++');
    await chat('In C');
    const titles = async (q: string): Promise<string[]> => (await search(q)).chats.map(({ title }) => title);
    expect(await titles('CAFE zuri')).toEqual([6, 5, 4, 3, 2].map((index) => `Café Zürich ${index}`));
    expect(await titles('zurich caf')).toHaveLength(5);
    expect(await titles('afe')).toEqual([]);
    await chat('今日は天気がいい');
    expect(await titles('天気')).toEqual(['今日は天気がいい']);
    expect(await titles('C++')).toEqual(['Modern C++']);
    expect(await titles('->')).toEqual([]);
    await chat('Our Wi-Fi, don’t ask');
    await chat('Wi-Fi and node.js');
    expect(await titles('wifi')).toEqual(['Wi-Fi and node.js', 'Our Wi-Fi, don’t ask']);
    expect(await titles('nodejs wifi')).toEqual(['Wi-Fi and node.js']);
    expect(await titles('dont')).toEqual(['Our Wi-Fi, don’t ask']);
  });

  it('finds chats by titles in other alphabets, also when they were changed since', async () => {
    const { chat, search, run } = await openWorkspace();
    const id = await chat('Ταξίδι στην ΑΘΉΝΑ');
    const titles = async (q: string): Promise<string[]> => (await search(q)).chats.map(({ title }) => title);
    expect(await titles('αθηνα')).toEqual(['Ταξίδι στην ΑΘΉΝΑ']);
    await run('UPDATE chats SET title = ? WHERE id = ?', ['Поездка в Киев', id]);
    expect(await titles('αθηνα')).toEqual([]);
    expect(await titles('КИЕВ')).toEqual(['Поездка в Киев']);
    await run('UPDATE chats SET title = ? WHERE id = ?', ['Trip to Kyiv', id]);
    expect(await titles('киев')).toEqual([]);
    expect(await titles('KYIV')).toEqual(['Trip to Kyiv']);
  });

  it('lists chats by their titles in the same order when many were changed at the same time', async () => {
    const { chat, search } = await openWorkspace();
    const updatedAt = '2026-01-01T00:00:00.000Z';
    for (let index = 0; index < 2_100; index += 1)
      await chat(index % 300 === 7 ? 'harbour' : 'x', { updatedAt });
    const { chats } = await search('harbour');
    expect(chats).toHaveLength(5);
    const ids = chats.map((found) => found.id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('takes each word once and the first sixteen alone, however many are sent', async () => {
    const { chat, message, texts } = await openWorkspace();
    const words = Array.from({ length: 16 }, (_, index) => `w${index}`);
    await message(await chat('x'), `a lighthouse and ${words.join(' ')}`);
    expect(await texts('lighthouse a '.repeat(30))).toHaveLength(1);
    expect(await texts(`${words.join(' ')} nowhere`)).toHaveLength(1);
    expect(await texts(`${words.slice(0, 15).join(' ')} nowhere`)).toEqual([]);
  });

  it('marks words far into a very long text', async () => {
    const { chat, message, texts } = await openWorkspace();
    await message(await chat('x'), `${'lorem ipsum '.repeat(40_000)}lighthouse ${'dolor '.repeat(40_000)}`);
    expect((await texts('lighthouse'))[0]).toContain('[lighthouse] dolor');
  });

  it('gives as many as asked for, 30 unless told, and says whether there are more', async () => {
    const { chat, message, search, request } = await openWorkspace();
    const id = await chat('x');
    for (let index = 0; index < 31; index += 1) await message(id, `lighthouse 灯台 ${index}`);
    for (const q of ['lighthouse', '灯台']) {
      expect([(await search(q)).messages.length, (await search(q)).hasMore]).toEqual([30, true]);
      const whole = await search(q, '&limit=31');
      expect([whole.messages.length, whole.hasMore]).toEqual([31, false]);
      expect((await search(q, '&limit=1')).messages).toHaveLength(1);
    }
    for (const query of ['', '?q=x&limit=0', '?q=x&limit=101', '?q=x&limit=1.5', `?q=${'x'.repeat(501)}`]) {
      expect((await request(query)).error().code).toBe('invalid_request');
    }
  });

  it('sees only the workspace it is about, which has to be known', async () => {
    const [one, other] = [await openWorkspace(), await openWorkspace()];
    await one.message(await one.chat('lighthouse'), 'lighthouse');
    expect((await one.search('lighthouse')).messages).toHaveLength(1);
    expect(await other.search('lighthouse')).toEqual({ messages: [], chats: [], hasMore: false });
    const { text } = await api.service.keys.create({
      kind: 'person',
      name: 'x',
      scope: 'chat',
      workspaceId: null,
      expiresAt: null,
    });
    const answer = await api.get('/api/v1/search?q=x', { key: text });
    expect([answer.status, answer.error().code]).toEqual([400, 'workspace_required']);
  });
});
