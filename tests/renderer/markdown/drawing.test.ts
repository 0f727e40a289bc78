import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Drawing, type DrawingWorker } from '../../../renderer/markdown/drawing.ts';
import type { DrawingRequest, DrawingReport, Drawn } from '../../../renderer/markdown/drawing-requests.ts';

/** A thread that is told what to answer. */
class FakeWorker implements DrawingWorker {
  onmessage: DrawingWorker['onmessage'] = null;
  onerror: DrawingWorker['onerror'] = null;
  readonly requests: DrawingRequest[] = [];
  isEnded = false;

  postMessage(request: unknown): void {
    this.requests.push(request as DrawingRequest);
  }

  terminate(): void {
    this.isEnded = true;
  }

  ready(): void {
    this.#tell({ type: 'ready' });
  }

  answer(drawn: Drawn | null): void {
    this.#tell({ type: 'done', drawn });
  }

  fail(): void {
    this.onerror?.call(this as unknown as Worker, new Event('error') as ErrorEvent);
  }

  #tell(data: DrawingReport): void {
    this.onmessage?.call(this as unknown as Worker, { data } as MessageEvent);
  }
}

let workers: FakeWorker[] = [];
let drawing: Drawing;

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  drawing = new Drawing(() => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  });
});
afterEach(() => void vi.useRealTimers());

const code = (text: string): { kind: 'colours'; code: string; language: string } => ({
  kind: 'colours',
  code: text,
  language: 'js',
});
const pieces = (text: string): Drawn => [{ text, kind: null }];

test('no thread begins before there is something to draw, and requests are sent ahead, but not all of them', async () => {
  expect(workers).toHaveLength(0);
  const both = [drawing.draw(code('a')), drawing.draw(code('b'))];
  expect(workers).toHaveLength(1);
  expect(workers[0]?.requests).toEqual([]);
  workers[0]?.ready();
  expect(workers[0]?.requests).toEqual([code('a'), code('b')]);
  workers[0]?.answer(pieces('a'));
  workers[0]?.answer(pieces('b'));
  expect(await Promise.all(both)).toEqual([pieces('a'), pieces('b')]);
  for (let index = 0; index < 1_000; index += 1) void drawing.draw(code(`c${index}`));
  expect(workers[0]?.requests.length).toBeLessThan(100);
});

test('equal requests are done once', async () => {
  const all = ['a', 'a', 'b', 'a', 'a'].map((text) => drawing.draw(code(text)));
  workers[0]?.ready();
  workers[0]?.answer(pieces('a'));
  workers[0]?.answer(pieces('b'));
  expect(await Promise.all(all)).toEqual(['a', 'a', 'b', 'a', 'a'].map(pieces));
  expect(workers[0]?.requests).toEqual([code('a'), code('b')]);
});

test('a request that takes too long ends its thread; the next one is done in a new thread', async () => {
  const bomb = drawing.draw(code('bomb'));
  const next = drawing.draw(code('next'));
  workers[0]?.ready();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await bomb).toBeNull();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  workers[1]?.ready();
  workers[1]?.answer(pieces('next'));
  expect(await next).toEqual(pieces('next'));
  // It isn't tried again.
  expect(await drawing.draw(code('bomb'))).toBeNull();
  expect(workers[1]?.requests).toEqual([code('next')]);
});

test('loading the thread takes as long as it takes; where it can’t be loaded, the next request tries again', async () => {
  const first = drawing.draw(code('a'));
  await vi.advanceTimersByTimeAsync(60_000);
  workers[0]?.fail();
  expect(await first).toBeNull();
  expect(drawing.known(code('a'))).toBeUndefined();
  const again = drawing.draw(code('a'));
  workers[1]?.ready();
  workers[1]?.answer(pieces('a'));
  expect(await again).toEqual(pieces('a'));
});

test('what was drawn is known for a while; what only passes, and what is too much to keep, isn’t', async () => {
  const draw = async (text: string, isPassing?: boolean): Promise<void> => {
    const drawn = drawing.draw(code(text), isPassing);
    workers[0]?.ready();
    workers[0]?.answer(pieces(text));
    await drawn;
  };
  await draw('a');
  await draw('b', true);
  expect(drawing.known(code('a'))).toEqual(pieces('a'));
  expect(drawing.known(code('b'))).toBeUndefined();
  for (const letter of ['x', 'y', 'z']) await draw(letter.repeat(900_000));
  expect(drawing.known(code('a'))).toBeUndefined();
  expect(drawing.known(code('z'.repeat(900_000)))).toBeDefined();
});
