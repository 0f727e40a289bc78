import type { ConversationEvent } from '../../shared/events.ts';

/** The events of a chat's stream, as the service writes them, until it ends. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ConversationEvent> {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const text of events) {
      const lines = text.split('\n');
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const type = field('event');
      // Comments keep the stream alive.
      if (type !== undefined)
        yield { type, ...(JSON.parse(field('data') ?? '{}') as object) } as ConversationEvent;
    }
  }
}
