/** Answers that are packed, though nobody asked for that. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { WIRES } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';
import { PLAIN_TEXT, tokens } from '../../../support/model-servers/scenarios.ts';
import type { Asked } from '../../../support/model-servers/wire.ts';

const ASKED: Asked = { model: 'fake-model', stream: true, messages: [], tools: [], toolResults: [] };

describe.each(PROVIDER_WIRES)('%s', (provider, name) => {
  const wire = WIRES[name];
  const { pieces, end } = wire.pieces(ASKED, { kind: 'answer', text: tokens(PLAIN_TEXT) });
  const body = Buffer.from([...pieces, ...end].join(''));

  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)],
    ['identity', body],
    ['none', body],
    ['utf-8', body],
    ['unheard-of', body],
  ])('reads %s, also if the connection stays open', async (encoding, packed) => {
    for (const then of ['end', 'open'] as const) {
      const headers = { 'content-type': wire.contentType, 'content-encoding': encoding };
      const server = await startRawServer(() => ({ body: packed, headers, then }));
      const { result } = await runModelTurn('hello', server.access(provider), {
        patience: { idleMs: 60_000 },
      });
      expect(result).toMatchObject({ outcome: 'replied', content: PLAIN_TEXT });
    }
  });

  it('reads a packed refusal', async () => {
    const refusal = gzipSync(JSON.stringify(wire.refusal(400, 'No such thing.')));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const server = await startRawServer(() => ({ status: 400, body: refusal, headers }));
    const { result } = await runModelTurn('hello', server.access(provider));
    expect(result.outcome === 'failed' && result.error.message).toContain('No such thing');
  });

  it.each(['gzip', 'br', 'zstd', 'unheard-of'])(
    'says so if it can’t be unpacked, and asks once: %s',
    async (encoding) => {
      const headers = { 'content-type': wire.contentType, 'content-encoding': encoding };
      const server = await startRawServer(() => ({ body: 'not packed at all', headers }));
      const { result } = await runModelTurn('hello', server.access(provider));
      expect(result.outcome === 'failed' && result.error.message).toContain('can’t be read');
      expect(server.bodies).toHaveLength(1);
    },
  );
});
