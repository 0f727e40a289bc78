import { describe, expect, it } from 'vitest';
import { followEvents } from '../../../renderer/api/events.ts';

describe('following events', () => {
  it('hands the abort on to the request, also one that came before', async () => {
    for (const isEarly of [false, true]) {
      const ending = new AbortController();
      if (isEarly) ending.abort();
      const following = followEvents(
        {
          open: (_path, init) =>
            new Promise((_resolve, reject) => {
              const end = (): void => reject(new Error('aborted'));
              if (init?.signal?.aborted === true) end();
              init?.signal?.addEventListener('abort', end);
            }),
        },
        { chatId: null, isOnce: false, cursor: '', signal: ending.signal, onEvent: () => undefined },
      );
      ending.abort();
      await expect(following).resolves.toBeUndefined();
    }
  });
});
