/** kill -9 in the middle of a sign-in at a tool server, and while skills are being turned on. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { McpServer, McpSignIn, McpTest } from '../../shared/api/mcp.ts';
import type { SkillList } from '../../shared/api/skill.ts';
import { rounds } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { browse, startSignInServers, type SignInServers } from '../support/mcp-server/sign-in.ts';
import { mortalService } from '../support/mortal-service.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import type { TestClient } from '../support/service.ts';

const mortal = mortalService();

describe('a sign-in at a tool server', () => {
  const PATH = '/api/v1/mcp-servers';
  let servers: SignInServers;

  beforeEach(async () => {
    const started = await startSignInServers({ writeTools: ['add'] });
    onTestFinished(() => started.close());
    servers = started;
  });

  /** A service that knows the tool server; resolves with that server's id. */
  async function addLamp(api: TestClient): Promise<string> {
    const answer = await api.post(PATH, { name: 'Lamp', transport: 'http', url: servers.lamp.url });
    return answer.json<{ server: McpServer }>().server.id;
  }

  const lamp = async (api: TestClient): Promise<McpServer | undefined> =>
    (await api.get(PATH)).json<{ servers: McpServer[] }>().servers[0];

  /** Begins a sign-in, and resolves with the address that the browser comes back to. */
  async function begin(api: TestClient, id: string): Promise<URL> {
    const answer = await api.post(`${PATH}/${id}/sign-in`, {});
    expect(answer.status, answer.text).toBe(200);
    return browse(answer.json<McpSignIn>().url);
  }

  /** The browser comes back to the service that runs now, whatever its port. */
  const comeBack = ({ baseUrl }: ServiceProcess, { pathname, search }: URL): Promise<Response> =>
    fetch(new URL(pathname + search, baseUrl));

  async function expectSignedIn({ api }: ServiceProcess, id: string): Promise<void> {
    expect((await api.post(`${PATH}/${id}/test`, {})).json<McpTest>()).toMatchObject({ finding: 'ok' });
    expect(await lamp(api)).toMatchObject({ signIn: 'present', problem: null });
  }

  const secrets = async (): Promise<Record<string, { text: string }>> =>
    (
      JSON.parse(await readFile(join(mortal.dataDir, 'secrets.json'), 'utf8')) as {
        secrets: Record<string, { text: string }>;
      }
    ).secrets;

  it('that the browser is away for can be finished after a kill', async () => {
    const first = await mortal.start();
    const id = await addLamp(first.api);
    const address = await begin(first.api, id);
    await first.end('SIGKILL');
    const second = await mortal.start();
    expect(await lamp(second.api)).toMatchObject({ signIn: 'pending' });
    const page = await comeBack(second, address);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Signed in')]);
    await expectSignedIn(second, id);
  });

  it('of which the code is being exchanged has to be begun again after a kill, and says so', async () => {
    const first = await mortal.start();
    const id = await addLamp(first.api);
    const address = await begin(first.api, id);
    servers.hold('/token');
    const returning = comeBack(first, address).catch(() => null);
    await eventually(() => expect(servers.asked).toContain('POST /token'));
    await first.end('SIGKILL');
    expect(await returning).toBeNull();
    servers.hold(null);
    const second = await mortal.start();
    expect(await lamp(second.api)).toMatchObject({
      signIn: 'needed',
      problem: 'The sign-in was not finished. Start it again.',
    });
    expect(JSON.stringify(await secrets())).not.toContain('access_token');
    // Someone who loads the page again reads what to do.
    const page = await comeBack(second, address);
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Start it again')]);
    await comeBack(second, await begin(second.api, id));
    await expectSignedIn(second, id);
  });

  it('loses no tokens that were there before: those work until the new sign-in is finished', async () => {
    const first = await mortal.start();
    const id = await addLamp(first.api);
    await comeBack(first, await begin(first.api, id));
    await expectSignedIn(first, id);
    const address = await begin(first.api, id);
    servers.hold('/token');
    const tokenRequests = servers.asked.filter((path) => path === 'POST /token').length;
    void comeBack(first, address).catch(() => null);
    await eventually(() =>
      expect(servers.asked.filter((path) => path === 'POST /token')).toHaveLength(tokenRequests + 1),
    );
    await first.end('SIGKILL');
    servers.hold(null);
    await expectSignedIn(await mortal.start(), id);
  });

  it('is there whole or not at all, whenever the kill comes', async () => {
    let service = await mortal.start();
    const id = await addLamp(service.api);
    for (let round = 0; round < rounds(2); round += 1) {
      const delayMs = (round * 11) % 40;
      const address = await begin(service.api, id);
      const returning = comeBack(service, address).catch(() => null);
      await sleep(delayMs);
      await service.end('SIGKILL');
      const page = await returning;
      const kept = JSON.parse((await secrets())[`mcp-sign-in:${id}`]?.text ?? '{}') as {
        tokens?: { access_token: string };
      };
      // Whoever read that it worked has it.
      if (page?.ok === true) expect(kept.tokens?.access_token).toMatch(/./);
      service = await mortal.start();
      const { api } = service;
      if (kept.tokens !== undefined) await expectSignedIn(service, id);
      else expect((await lamp(api))?.signIn).toMatch(/^(?:needed|pending)$/);
      expect((await api.post(`${PATH}/${id}/sign-out`, {})).status).toBe(200);
    }
  });
});

it('skills that are being turned on when the kill comes are on or off, and every answered one is on', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `skill-${index}`);
  for (const name of names) {
    await mkdir(join(mortal.dataDir, 'skills', name), { recursive: true });
    const text = `---\nname: ${name}\ndescription: Use for ${name}.\n---\nDo it well.\n`;
    await writeFile(join(mortal.dataDir, 'skills', name, 'SKILL.md'), text);
  }
  const list = async (api: TestClient): Promise<SkillList['skills']> =>
    (await api.get('/api/v1/skills')).json<SkillList>().skills;
  const first = await mortal.start();
  const answered = new Set<string>();
  const updates = (await list(first.api)).map(async ({ id, version }) => {
    const json = { enabled: true, version };
    const { status } = await first.api.request({ method: 'PATCH', path: `/api/v1/skills/${id}`, json });
    if (status === 200) answered.add(id);
  });
  await Promise.race(updates);
  await first.end('SIGKILL');
  await Promise.allSettled(updates);
  const { api } = await mortal.start();
  const after = await list(api);
  expect(after).toHaveLength(names.length);
  for (const { id, state, enabled, problem } of after) {
    expect(problem).toBeNull();
    expect(state).toBe(enabled ? 'on' : 'off');
    if (answered.has(id)) expect(enabled).toBe(true);
  }
  for (const { id, version } of after) {
    const json = { enabled: true, version };
    expect((await api.request({ method: 'PATCH', path: `/api/v1/skills/${id}`, json })).status).toBe(200);
  }
  expect((await list(api)).every(({ state }) => state === 'on')).toBe(true);
});
