import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import type { CreatedKey } from '../../../shared/api/key.ts';
import type { Message } from '../../../shared/api/message.ts';
import { type Ended, hostedParley, parley, type RunOptions } from '../../support/parley.ts';
import { HAS_SIGNALS, modeOf, PRIVATE_FILE } from '../../support/platform.ts';
import { CLI } from '../../support/service-process.ts';
import {
  createTempDir,
  startSharedService,
  startTestService,
  type TestService,
} from '../../support/service.ts';

const api = await startSharedService();
const execute = promisify(execFile);

/** Runs a command on the shared service. */
const run = (args: string[], options?: RunOptions): Promise<Ended> =>
  parley([...args, '--data-dir', api.service.dataDir], options);

/** The same without a process of its own. */
const runHosted = (args: string[], env?: Record<string, string>): Promise<Ended> =>
  hostedParley([...args, '--data-dir', api.service.dataDir], env);

const rehearsal = (script: string): string => `play\n\n\`\`\`rehearsal\n${script}\n\`\`\``;
const ANSI = '\u001b[';
/** A sentence or two, no stack. */
const WORDS = /^(?![^]*\n\s+at )\S[^\n]*[.?)]\n$/;

/** What is printed as JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const json = <T>({ stdout }: Ended): T => JSON.parse(stdout) as T;

const newest = async (): Promise<Chat> => {
  const { data } = (await api.get('/api/v1/chats?pageSize=1')).json<{ data: [Chat] }>();
  return data[0];
};

describe('ask', () => {
  it('prints the reply, alone, in a chat of its own each time', async () => {
    const before = (await api.get('/api/v1/chats')).json<{ total: number }>().total;
    const [one, other] = await Promise.all([
      run(['ask', 'What is 12.5% of 1840?']),
      run(['ask', 'What', 'is', '6', 'times', '7?'], {
        env: { NO_COLOR: '1', PARLEY_CHAT: '', PARLEY_URL: '', PARLEY_API_KEY: '' },
      }),
    ]);
    expect(one).toEqual({ code: 0, stdout: '12.5% of 1,840 = 230\n', stderr: '' });
    expect([other.code, other.stderr]).toEqual([0, '']);
    expect(other.stdout).toContain('42');
    expect((await api.get('/api/v1/chats')).json<{ total: number }>().total).toBe(before + 2);
  });

  it('adds what is piped in to the words, and asks with that alone', async () => {
    const table = 'name,age\nAnn,3\nBob,5\n';
    const french = 'prénom,âge\nHélène,3\nÉric,5\n';
    const [both, alone, wide, narrow] = await Promise.all([
      run(['ask', 'average age'], { input: table }),
      run(['ask'], { input: 'What is 2 + 2?\n' }),
      run(['ask', 'average age'], { input: Buffer.from(`\ufeff${table}`, 'utf16le') }),
      run(['ask', 'average of âge'], { input: Buffer.from(french, 'latin1') }),
    ]);
    expect(both.stdout).toBe('The average of age is 4.\n');
    expect(alone.stdout).toContain('4');
    expect(wide.stdout).toBe(both.stdout);
    expect(narrow.stdout).toBe('The average of âge is 4.\n');
  });

  it('refuses nothing, what is no text and what is too long, with words and code 2', async () => {
    const refused = await Promise.all([
      run(['ask']),
      run(['ask', '  '], { input: '\n' }),
      run(['ask', 'look'], { input: Buffer.from([0, 1, 2, 3]) }),
      run(['ask', 'look'], { input: 'x'.repeat(100_001) }),
      run(['ask', 'look'], { input: 'x'.repeat(1_000_000) }),
    ]);
    for (const { code, stdout, stderr } of refused) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(WORDS);
    }
  });

  it('goes on in a chat that is named by id, its beginning, "last" or PARLEY_CHAT; --new does not', async () => {
    const chat = await api.createChat();
    await runHosted(['ask', '--chat', chat.id, 'What is 1 + 1?']);
    await runHosted(['ask', '--chat', chat.id.slice(0, 8), 'What is 1 + 2?']);
    await runHosted(['ask', '--chat', 'last', 'What is 1 + 3?']);
    const env = { PARLEY_CHAT: chat.id };
    const named = await runHosted(['ask', '--json', 'What is 1 + 4?'], env);
    expect(json<{ chat: Chat }>(named).chat.id).toBe(chat.id);
    const fresh = await runHosted(['ask', '--json', '--new', 'What is 1 + 5?'], env);
    expect(json<{ chat: Chat }>(fresh).chat.id).not.toBe(chat.id);
    const contents = (await api.messages(chat.id)).filter(({ role }) => role === 'user');
    expect(contents.map(({ content }) => content.at(-2))).toEqual(['1', '2', '3', '4']);
  });

  it('sets mode, model and agent, and makes no chat for names that there are not', async () => {
    const answer = await runHosted([
      'ask',
      '--json',
      '--mode',
      'chat',
      '--model',
      'rehearsal',
      rehearsal('Played.'),
    ]);
    const { chat, message } = json<{ chat: Chat; message: Message }>(answer);
    expect([chat.model, message.content.trim(), message.model]).toEqual([
      'rehearsal',
      'Played.',
      'rehearsal',
    ]);
    expect((await api.messages(chat.id))[0]?.mode).toBe('chat');
    const before = (await newest()).id;
    const [model, agent, mode] = await Promise.all([
      runHosted(['ask', '--model', 'nope', 'hi']),
      runHosted(['ask', '--agent', 'nope', 'hi']),
      runHosted(['ask', '--mode', 'nope', 'hi']),
    ]);
    expect([model.code, agent.code, mode.code]).toEqual([1, 1, 2]);
    expect(model.stderr).toContain('Available: offline-assistant, rehearsal.');
    expect(agent.stderr).toContain('orchestrator');
    expect((await newest()).id).toBe(before);
  });

  it('renders Markdown where colours are wanted, and prints plain text in a pipe', async () => {
    const text = '## Sum\n\n| a | b |\n| --- | ---: |\n| 1 | 20 |\n\n- **two**\n- `x`';
    const ask = ['ask', '--model', 'rehearsal', rehearsal(`::speed max\n${text}`)];
    const [plain, coloured] = await Promise.all([runHosted(ask), runHosted(ask, { FORCE_COLOR: '1' })]);
    expect(plain.stdout).toBe('Sum\n\na    │    b\n─────┼─────\n1    │   20\n\n• two\n• x\n');
    expect(coloured.stdout).toContain(`${ANSI}1mtwo`);
    expect(coloured.stdout).toMatch(/│.* 20/);
    expect(coloured.stdout).not.toContain('##');
  });

  it('prints the reply to its own message, when the same is asked in the chat at the same moment', async () => {
    const { id } = await api.createChat();
    const ended = await Promise.all(
      Array.from({ length: 4 }, () => run(['ask', '--chat', id, '--json', 'What is 7 + 7?'])),
    );
    const answered = ended.map((one) => json<{ message: Message }>(one).message.replyTo);
    const sent = (await api.messages(id)).filter(({ role }) => role === 'user');
    expect(new Set(answered)).toEqual(new Set(sent.map((message) => message.id)));
  });

  it('goes on with a service that is started again during the reply, on another port', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const again: Promise<TestService>[] = [];
    const script = rehearsal('::speed max\nOne.\n\nTwo.\n::pause 3s\nThree.');
    const { code, stdout } = await parley(['ask', '--model', 'rehearsal', script, '--data-dir', dataDir], {
      onOutput: (text) => {
        if (text.includes('One.') && again.length === 0)
          again.push(first.service.close().then(() => startTestService({ dataDir })));
      },
    });
    expect((await again[0])?.service.port).not.toBe(first.service.port);
    expect([code, stdout]).toEqual([0, 'One.\n\nTwo.\nThree.\n']);
  });

  it('says why a reply failed, on standard error, with code 1', async () => {
    const { code, stdout, stderr } = await runHosted([
      'ask',
      '--model',
      'rehearsal',
      rehearsal('So far.\n::fail model_overloaded The model is tired.'),
    ]);
    expect([code, stdout.trim(), stderr]).toEqual([1, 'So far.', 'The model is tired.\n']);
  });

  it.runIf(HAS_SIGNALS)('stops the reply by Ctrl+C, and leaves at once by a second', async () => {
    const stalled = ['ask', '--model', 'rehearsal', rehearsal('::speed max\nOne.\n\nTwo.\n::stall')];
    let signals = 0;
    const interrupt =
      (most: number): NonNullable<RunOptions['onOutput']> =>
      (text, child) => {
        for (; text.includes('One.') && signals < most; signals += 1) child.kill('SIGINT');
      };
    const first = await run(stalled, { onOutput: interrupt(1) });
    expect([first.code, first.stdout.trim(), first.stderr]).toEqual([130, 'One.\n\nTwo.', 'Stopped.\n']);
    expect((await newest()).status).toBe('stopped');
    signals = 0;
    expect((await run(stalled, { onOutput: interrupt(2) })).code).toBe(130);
    await runHosted(['stop', 'last']);
  });

  it('says what a tool asks, and how to answer; deny answers by itself', async () => {
    const asking = rehearsal('::speed max\nBefore.\n::approve Send the mail?\nAfter.');
    const ask = ['ask', '--model', 'rehearsal', asking];
    const answers: Promise<Ended>[] = [];
    const asked = await run(ask, {
      onOutput: (text) => {
        const [, id] = /parley answer (\S+) yes/.exec(text) ?? [];
        if (id !== undefined && answers.length === 0) answers.push(runHosted(['answer', id, 'yes']));
      },
    });
    expect([asked.code, asked.stdout]).toEqual([0, 'Before.\n\nAfter.\n']);
    expect(asked.stderr).toContain('Send the mail?');
    expect(await answers[0]).toMatchObject({ code: 0, stderr: 'Send the mail?\nAllowed.\n' });
    const denied = await runHosted([...ask, '--on-approval', 'deny']);
    expect([denied.code, denied.stderr]).toEqual([0, '']);
    expect(await runHosted(['answer', 'last', 'no'])).toMatchObject({ code: 1 });
  });
});

describe('lists', () => {
  it('are lines with tabs in a pipe, columns for people, the API’s objects as JSON', async () => {
    const chat = await api.createChat();
    await api.request({
      method: 'PATCH',
      path: `/api/v1/chats/${chat.id}`,
      json: { title: '非常に長いタイトル'.repeat(12) },
    });
    await api.send(chat.id, 'The word pomegranate \u001b[31mis red\u001b[0m.');
    await api.settled(chat.id);
    const [piped, shown, asJson, found, foundJson, all, reply, showJson] = await Promise.all([
      runHosted(['chats', '--limit', '1']),
      runHosted(['chats', '--limit', '1'], { FORCE_COLOR: '1' }),
      runHosted(['chats', '--json']),
      runHosted(['search', 'pomegranate']),
      runHosted(['search', 'pomegranate', '--json']),
      runHosted(['show', chat.id.slice(0, 8)], { FORCE_COLOR: '1' }),
      runHosted(['show', 'last', '--reply']),
      runHosted(['show', chat.id, '--json']),
    ]);
    expect(piped.stdout.trimEnd().split('\t')).toEqual([
      chat.id,
      expect.any(String),
      'idle',
      '非常に長いタイトル'.repeat(12),
    ]);
    const row = shown.stdout.trimEnd().split('\n').at(-1) ?? '';
    expect(row).toMatch(/^[\da-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}idle +非常.*…$/);
    expect(json<{ data: Chat[] }>(asJson).data[0]?.id).toBe(chat.id);
    expect(found.stdout).toContain(`${chat.id}\tuser\t`);
    expect(json<{ messages: object[] }>(foundJson).messages).not.toEqual([]);
    expect(all.stdout).toContain('pomegranate [31mis red');
    expect(all.stdout).not.toContain(`${ANSI}31m`);
    const messages = await api.messages(chat.id);
    expect(reply.stdout.trim()).toBe(
      messages
        .at(-1)
        ?.content.trim()
        .replaceAll(/[`\u001b]/g, ''),
    );
    expect(json<{ messages: Message[] }>(showJson).messages).toEqual(messages);
  });

  it('say in words which chat there is not', async () => {
    const names = ['nope', 'deadbeef', 'n\u001b]52;c;aGk=\u0007'];
    for (const { code, stderr } of await Promise.all(names.map((name) => runHosted(['stop', name])))) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^There is no chat "[^\u0007\u001b]*"\. parley chats lists them/);
    }
  });

  it('tell how the service stands', async () => {
    const [words, object] = await Promise.all([runHosted(['status']), runHosted(['status', '--json'])]);
    expect(words.stdout).toContain(`is running at ${api.service.url}`);
    expect(json(object)).toMatchObject({ running: true, baseUrl: api.service.url, underWay: [] });
  });

  it('open the page by a link that signs in', async () => {
    const [link] = (await runHosted(['open', '--print'])).stdout.split('\n');
    const key = new URL(link ?? '').hash.replace('#token=', '');
    expect((await api.post('/api/v1/session', undefined, { key })).status).toBe(200);
  });

  it.runIf(process.platform === 'linux')(
    'open the page without showing anybody on the computer how: the browser gets a private file',
    async () => {
      const programs = await createTempDir();
      const seen = join(programs, 'seen');
      const opener = `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\nenv >> '${seen}'\n`;
      await writeFile(join(programs, 'xdg-open'), opener, { mode: 0o755 });
      const env = { DISPLAY: ':0', PATH: `${programs}:${process.env['PATH'] ?? ''}` };
      expect(await runHosted(['open'], env)).toMatchObject({ code: 0, stdout: '' });
      const shown = await readFile(seen, 'utf8');
      expect(shown).not.toMatch(/page_|parley_[\w-]{43}|token=/);
      const file = fileURLToPath(shown.split('\n')[0] ?? '');
      expect(await modeOf(file)).toBe(PRIVATE_FILE);
      const [, key] = /url=[^"]*#token=([^"]+)/.exec(await readFile(file, 'utf8')) ?? [];
      expect((await api.post('/api/v1/session', undefined, { key: key ?? '' })).status).toBe(200);
    },
  );
});

describe('data', () => {
  it('goes out to a file that only its owner may read, and comes in again', async () => {
    const dir = await createTempDir();
    const file = join(dir, 'chats.json');
    // As a browser names what it is downloading.
    await writeFile(`${file}.part`, 'another’s');
    expect((await runHosted(['export', '-o', file])).stderr).toBe(`Written to ${file}.\n`);
    expect([await readFile(`${file}.part`, 'utf8'), (await readdir(dir)).length]).toEqual(['another’s', 2]);
    expect(await modeOf(file)).toBe(PRIVATE_FILE);
    const before = await stat(file);
    const again = await runHosted(['export', '-o', file]);
    expect(again).toMatchObject({ code: 1, stderr: `${file} exists already; --force writes over it.\n` });
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs);
    const astray = await Promise.all([
      runHosted(['export', '-o', dir, '--force']),
      runHosted(['export', '-o', join(dir, 'none', 'x.json')]),
    ]);
    expect(astray.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, `${dir} is a folder; name a file.\n`],
      [1, `${join(dir, 'none', 'x.json')} can't be written: there is no folder ${join(dir, 'none')}.\n`],
    ]);
    const text = await readFile(file, 'utf8');
    const count = (JSON.parse(text) as { chats: object[] }).chats.length;
    // One import at a time.
    const bad = await run(['import', '-'], { input: '{"no":"export"}' });
    const [fromFile, piped, none, folder] = await Promise.all([
      runHosted(['import', file, '--json']),
      runHosted(['export', '--format', 'json']),
      runHosted(['import', join(dir, 'none.json')]),
      runHosted(['import', dir]),
    ]);
    expect(json(fromFile)).toMatchObject({ imported: 0, copied: 0, skipped: count });
    expect((JSON.parse(piped.stdout) as { chats: object[] }).chats).toHaveLength(count);
    expect([none.code, folder.code, bad.code]).toEqual([1, 1, 1]);
    for (const { stderr } of [none, folder, bad]) expect(stderr).toMatch(WORDS);
    expect(folder.stderr).toContain('is a folder');
    expect((await run(['import', '-'], { input: 'root:x:0:0' })).stderr).toContain('The file is no JSON.');
    const markdown = await runHosted(['export', 'last']);
    expect(markdown.stdout).toMatch(/^# /);
  });

  it('goes to standard output for "-", and on to the file that a link leads to', async () => {
    const dir = await createTempDir();
    const [target, link] = [join(dir, 'chats.md'), join(dir, 'link.md')];
    await writeFile(target, 'old');
    await symlink('chats.md', link);
    const [printed, refused] = await Promise.all([
      runHosted(['export', '-o', '-']),
      runHosted(['export', 'last', '-o', link]),
    ]);
    expect([printed.code, printed.stderr]).toEqual([0, '']);
    expect(printed.stdout).toMatch(/^# /);
    expect(refused).toMatchObject({ code: 1, stderr: `${link} exists already; --force writes over it.\n` });
    expect((await runHosted(['export', 'last', '-o', link, '--force'])).stderr).toBe(`Written to ${link}.\n`);
    expect(await readlink(link)).toBe('chats.md');
    expect(await readFile(target, 'utf8')).toMatch(/^# /);
  });

  it.runIf(process.platform === 'linux')('goes into a pipe or a device, which stays what it is', async () => {
    const pipe = join(await createTempDir(), 'pipe');
    await execute('mkfifo', [pipe]);
    const [text, { code }] = await Promise.all([
      readFile(pipe, 'utf8'),
      runHosted(['export', 'last', '--force', '-o', pipe]),
    ]);
    expect([code, (await stat(pipe)).isFIFO()]).toEqual([0, true]);
    expect(text).toMatch(/^# /);
    const full = await runHosted(['export', '-o', '/dev/full']);
    expect(full).toEqual({ code: 1, stdout: '', stderr: "/dev/full can't be written: ENOSPC.\n" });
  });

  it('is backed up, listed, copied and restored', async () => {
    const made = await runHosted(['backup']);
    const path = made.stdout.trim();
    expect(path.startsWith(join(api.service.dataDir, 'backups'))).toBe(true);
    const copy = join(await createTempDir(), 'copy.gz');
    const [list, got, restored] = await Promise.all([
      runHosted(['backup', 'list', '--json']),
      runHosted(['backup', 'get', 'last', '-o', copy]),
      runHosted(['restore', 'last']),
    ]);
    expect(json<{ backups: { name: string }[] }>(list).backups.map(({ name }) => name)).toContain(
      path.split('/').at(-1),
    );
    expect(got.code).toBe(0);
    expect(await readFile(copy)).toEqual(await readFile(path));
    expect(restored.stdout).toMatch(/^0 chats imported, \d+ already there\.\n$/);
    expect((await runHosted(['restore', 'none'])).stderr).toContain('no such file');
    // On a computer that has nothing yet.
    const dataDir = await createTempDir();
    await startTestService({ dataDir });
    const there = await hostedParley(['restore', copy, '--data-dir', dataDir]);
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ chats imported\.\n\d+ chats in the workspace “Personal”/) as string,
    });
    const chats = await hostedParley(['chats', '--json', '--data-dir', dataDir]);
    expect(json<{ total: number }>(chats).total).toBe(Number.parseInt(there.stdout, 10));
  });
});

describe('keys', () => {
  it('are made, told alone on standard output, used, and revoked', async () => {
    const made = await runHosted(['keys', 'create', 'my script', '--expires', '30d']);
    const key = made.stdout.trim();
    expect(key).toMatch(/^parley_[\w-]{43}$/);
    const env = { PARLEY_API_KEY: key, PARLEY_URL: api.service.url };
    const workspace = ['--workspace', api.service.workspaceId];
    const [asked, unnamed, refused, list] = await Promise.all([
      hostedParley(['ask', 'What is 2 + 3?', ...workspace], env),
      hostedParley(['chats'], env),
      hostedParley(['backup'], env),
      runHosted(['keys', '--json']),
    ]);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(unnamed).toMatchObject({ code: 1, stdout: '' });
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(json<{ keys: { name: string }[] }>(list).keys.map(({ name }) => name)).toContain('my script');
    expect((await runHosted(['keys', 'revoke', 'my script'])).code).toBe(0);
    const revoked = await hostedParley(['chats', ...workspace], env);
    expect(revoked).toMatchObject({ code: 5, stdout: '' });
    expect(revoked.stderr).toMatch(WORDS);
  });

  it('are bound to a workspace, and take no span that is none', async () => {
    const bound = await runHosted([
      'keys',
      'create',
      'bound',
      '--json',
      '--workspace',
      api.service.workspaceId,
    ]);
    expect(json<CreatedKey>(bound).key.workspaceId).toBe(api.service.workspaceId);
    for (const expires of ['soon', '0d', '2020-01-01'])
      expect(await runHosted(['keys', 'create', 'x', '--expires', expires])).toMatchObject({
        code: 2,
        stdout: '',
      });
  });

  it('are not revoked by an empty name, as of a variable that is not set', async () => {
    const { code, stderr } = await runHosted(['keys', 'revoke', '']);
    expect([code, stderr]).toEqual([1, 'There is no active key ""; parley keys lists them.\n']);
  });
});

describe('mcp', () => {
  it('passes messages on between its standard streams and the service', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;
    const { code, stdout } = await run(['mcp'], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'parley' } } });
  });
});

describe('a service that can not be had', () => {
  it('is said in a sentence, with code 4, and none is started', async () => {
    const dataDir = await createTempDir();
    const commands = [['ask', 'hi'], ['chats'], ['status'], ['open'], ['backup']];
    for (const { code, stdout, stderr } of await Promise.all(
      commands.map((command) => hostedParley([...command, '--data-dir', dataDir])),
    )) {
      expect([code, stdout]).toEqual([4, '']);
      expect(stderr).toContain('parley serve');
      expect(stderr).toMatch(WORDS);
    }
    for (const where of [
      ['--data-dir', dataDir],
      ['--url', 'http://127.0.0.1:1', '--key', 'parley_x'],
    ]) {
      const reported = await hostedParley(['status', '--json', ...where]);
      expect([reported.code, reported.stderr, json(reported)]).toMatchObject([4, '', { running: false }]);
    }
  });

  it('is told from another program, from a port that nobody has, and from an address that is none', async () => {
    const server = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const odd = await runHosted(['chats', '--key', 'parley_€\nx']);
    expect([odd.code, odd.stderr]).toEqual([
      5,
      'That is not a key: it contains a space or other invalid characters.\n',
    ]);
    const to = (url: string): Promise<Ended> => hostedParley(['chats', '--url', url, '--key', 'parley_x']);
    const [other, nobody, none, keyless] = await Promise.all([
      to(`http://127.0.0.1:${port}`),
      to('http://127.0.0.1:1'),
      to('elsewhere'),
      hostedParley(['chats', '--url', api.service.url]),
    ]);
    expect([other.code, nobody.code, none.code, keyless.code]).toEqual([4, 4, 2, 2]);
    for (const { stderr } of [other, nobody, none, keyless]) expect(stderr).toMatch(WORDS);
  });
});

describe('arguments', () => {
  it('are explained by help, for each command', async () => {
    const [all, ask, keys] = await Promise.all([
      hostedParley(['help']),
      hostedParley(['ask', '--help']),
      hostedParley(['help', 'keys']),
    ]);
    for (const command of ['serve', 'ask', 'chats', 'export', 'keys', 'doctor', 'mcp', 'completion'])
      expect(all.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(all.stdout).toContain('Exit codes:');
    expect(ask.stdout).toContain('cat report.md | parley ask');
    expect(keys.stdout).toContain('revoke');
    expect([all, ask, keys].map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  });

  it('that make no sense are told in a sentence, with code 2', async () => {
    const wrong = [
      ['chat'],
      ['What is 2+2?'],
      ['chats', '--limit', '0'],
      ['show'],
      ['chats', '--nope'],
      ['chats', '--data-dir', ''],
      ['help', 'chat'],
      ['chat', '--help'],
      ['import', ''],
      ['export', '-o', ''],
    ];
    const ended = await Promise.all(wrong.map((args) => hostedParley(args)));
    for (const { code, stdout, stderr } of ended) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^[A-Z].*\nUsage: /);
    }
    expect(ended[0]?.stderr).toContain('chats');
    expect(ended[1]?.stderr).toContain('parley ask "What is 2+2?"');
    for (const args of [
      ['delete', 'x'],
      ['help', 'delete'],
    ])
      expect(await hostedParley(['keys', ...args])).toEqual({
        code: 2,
        stdout: '',
        stderr: 'There is no command "keys delete", only list, create, revoke.\n',
      });
    expect(await hostedParley(['search', ' '])).toMatchObject({
      code: 2,
      stderr: 'There is nothing to look for. Write it after the command.\n',
    });
  });

  it('that are empty, as a variable that is not set, or only dots name no chat and no service', async () => {
    const wrong = [
      ['show', ''],
      ['show', '..'],
      ['export', '.'],
      ['stop', ' '],
      ['answer', '', 'yes'],
      ['ask', '--chat', '', 'hi'],
      ['schedule', 'add', 'tomorrow', '--chat', '', 'hi'],
    ];
    for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => runHosted(args)))) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('Enter its id, the start of it, or "last"');
    }
    const [key, url] = await Promise.all([
      runHosted(['chats', '--key', '']),
      runHosted(['chats', '--url', '', '--key', 'parley_x']),
    ]);
    expect([key.code, url.code]).toEqual([5, 2]);
  });

  it('may stand before the command', async () => {
    const { code, stdout } = await hostedParley([
      '--data-dir',
      api.service.dataDir,
      '--json',
      'keys',
      'list',
    ]);
    expect([code, Object.keys(JSON.parse(stdout) as object)]).toEqual([0, ['keys']]);
  });
});

describe('output', () => {
  it('that nobody reads ends a command quietly', async () => {
    const { code, stderr } = await run(['export'], {
      onOutput: (_text, child) => child.stdout?.destroy(),
    });
    expect([code, stderr]).toEqual([0, '']);
  });

  it.runIf(process.platform === 'linux')('without room ends a command in a sentence', async () => {
    for (const args of [['help'], ['export', '--data-dir', api.service.dataDir]]) {
      const ended = execute('sh', ['-c', '"$@" >/dev/full', 'sh', process.execPath, CLI, ...args]);
      const stderr = "The output can't be written: ENOSPC.\n";
      await expect(ended).rejects.toMatchObject({ code: 1, stderr });
    }
  });
});
