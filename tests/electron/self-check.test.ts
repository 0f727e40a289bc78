import { describe, expect, it } from 'vitest';
import { asTable, isValid, selfCheck, type SelfCheckParts } from '../../electron/self-check.ts';
import { startService } from '../../server/start.ts';

const PARTS: SelfCheckParts = {
  startService: (dataDir) => startService({ dataDir, port: 0, log: () => undefined }),
  readHtml: (html) => Promise.resolve(html.includes('Parley') ? 'Parley' : ''),
  desktop: { tray: () => Promise.resolve({ missing: 'none here' }) },
};

const states = (rows: Awaited<ReturnType<typeof selfCheck>>): Record<string, string> =>
  Object.fromEntries(rows.map(({ name, state }) => [name, state]));

describe('the self-check', () => {
  it('names each part with what was found, and what a system lacks is no failure', async () => {
    const rows = await selfCheck(PARTS);
    expect(states(rows)).toEqual({
      service: 'ok',
      'agent thread': 'ok',
      calculation: 'ok',
      'HTML thread': 'ok',
      tray: 'missing',
      store: 'ok',
    });
    expect(isValid(rows)).toBe(true);
    const table = asTable({ Parley: '1', on: 'linux' }, rows);
    expect(table).toMatch(/^Parley 1, on linux\nok {7}service/);
    expect(table).toContain('missing  tray          none here');
  });

  it('goes on after a part that fails, and says why in one line', async () => {
    const rows = await selfCheck({
      ...PARTS,
      readHtml: () => Promise.reject(new Error('There is no reader of pages.\n  at somewhere')),
      desktop: { page: () => Promise.reject(new Error('ERR_FAILED')) },
    });
    expect(rows.find(({ name }) => name === 'HTML thread')).toMatchObject({
      state: 'failed',
      detail: 'There is no reader of pages.',
    });
    expect(states(rows)).toMatchObject({ page: 'failed', store: 'ok' });
    expect(isValid(rows)).toBe(false);
  });

  it('fails part by part where there is no service at all', async () => {
    const rows = await selfCheck({
      ...PARTS,
      startService: () => Promise.reject(new Error('no agent worker')),
      desktop: {},
    });
    expect(states(rows)).toEqual({
      service: 'failed',
      'agent thread': 'failed',
      calculation: 'failed',
      'HTML thread': 'ok',
      store: 'failed',
    });
  });
});
