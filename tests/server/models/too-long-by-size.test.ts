/** Whether a request was too long is decided by its size, where its server has no words for it. */
import { describe, expect, it } from 'vitest';
import { PROVIDER_WIRES } from '../../support/model-servers/provider-wires.ts';
import { runModelTurn } from '../../support/model-servers/model-turn.ts';
import { startRawServer } from '../../support/model-servers/raw-server.ts';

const json = { 'content-type': 'application/json' };

describe.each(PROVIDER_WIRES)('%s', (provider) => {
  async function errorOf(status: number, message: string, words: number): Promise<unknown> {
    const server = await startRawServer(() => ({
      status,
      headers: json,
      body: JSON.stringify({ error: { message } }),
    }));
    const access = server.access(provider, { contextTokens: 8_192 });
    const { result } = await runModelTurn('word '.repeat(words), access, { request: { mode: 'chat' } });
    return result.outcome === 'failed' ? result.error.code : result.outcome;
  }

  it.each([
    [400, 'Bad request.'],
    [422, 'Unprocessable.'],
    [400, 'Die Anfrage passt nicht.'],
  ])('%i “%s” to a long request', async (status, message) => {
    expect(await errorOf(status, message, 5_000)).toBe('context_too_long');
  });

  it('but not to a short one, nor if the words say something else', async () => {
    expect(await errorOf(400, 'Bad request.', 10)).toBe('model_failed');
    expect(await errorOf(401, 'Unauthorized', 5_000)).toBe('model_key_refused');
    expect(await errorOf(404, 'No such model', 5_000)).toBe('model_not_found');
  });
});
