/** A service that may have 64 files and connections open, and has: what can't be done says why, and can be done later. */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { McpServerList } from '../../shared/api/mcp.ts';
import { eventually } from '../support/eventually.ts';
import { createTempDir } from '../support/service.ts';
import { runService } from '../support/service-process.ts';

const LIMIT = 64;
const WORDS = 'files and connections open';

describe.runIf(process.platform === 'linux')('a service without a free file descriptor', () => {
  it('takes messages, says why it can do nothing else, and does it when some are free again', async () => {
    const service = await runService(await createTempDir(), `-n ${LIMIT}`);
    const { api } = service;
    const port = Number(new URL(service.baseUrl).port);
    const { id } = await api.createChat();
    await api.send(id, 'What is 2 + 3?');
    await api.settled(id);

    const sockets: Socket[] = [];
    const taken = (): number => readdirSync(`/proc/${service.pid}/fd`).length;
    await eventually(() => {
      sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
      expect(taken()).toBe(LIMIT);
    });

    await api.send(id, 'What is 4 + 5?');
    const backup = await api.post('/api/v1/backups', {});
    expect(backup.status).toBe(500);
    expect(backup.error()).toMatchObject({ code: 'storage_unavailable' });
    expect(backup.error().message).toContain(WORDS);
    const added = await api.post('/api/v1/mcp-servers', {
      name: 'Any',
      transport: 'stdio',
      command: process.execPath,
      args: ['-e', 'setInterval(() => 0, 1000)'],
    });
    expect(added.status).toBe(201);
    await eventually(async () => {
      const { servers } = (await api.get('/api/v1/mcp-servers')).json<McpServerList>();
      expect(servers[0]?.problem).toContain(WORDS);
    });

    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(taken()).toBeLessThan(LIMIT / 2 + 8));
    expect((await api.post('/api/v1/backups', {})).status).toBe(201);
    await api.send(id, 'What is 6 + 7?');
    expect((await api.settled(id)).status satisfies Chat['status']).toBe('idle');
    expect((await api.messages(id)).at(-1)?.content).toContain('13');
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
