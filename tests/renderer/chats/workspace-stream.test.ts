import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FollowOptions } from '../../../renderer/api/events.ts';
import { createWorkspaceStream } from '../../../renderer/chats/workspace-stream.ts';

beforeEach(() => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the stream of a workspace', () => {
  it('follows the next chat although the browser never ends the request for the last one', async () => {
    const asked: (string | null)[] = [];
    const stream = createWorkspaceStream({
      follow: ({ chatId }: FollowOptions) => {
        asked.push(chatId);
        return new Promise(() => undefined);
      },
      onEvent: () => undefined,
      isBusy: () => false,
    });
    stream.follow('first');
    await vi.waitFor(() => expect(asked).toEqual(['first']));
    stream.follow('second');
    await vi.waitFor(() => expect(asked).toEqual(['first', 'second']));
    stream.close();
  });
});
