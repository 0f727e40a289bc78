/** The bridge between a preload's world and its page's: see page-scripts.ts. */
import type { decode, encode } from './codec.ts';

export type Fn = (...args: unknown[]) => unknown;
export interface Codec {
  encode: typeof encode;
  decode: typeof decode;
}
/** Of a page's global object, what is used here: the types of the DOM aren't part of this program. */
export interface PageGlobal {
  top: unknown;
  self: unknown;
  CustomEvent: new (type: string, init: { detail: string }) => object;
  addEventListener(type: string, listener: (event: { detail: string }) => void, capture: boolean): void;
  dispatchEvent(event: object): void;
  [key: string]: unknown;
}

export interface Peer {
  expose: (name: string, api: unknown) => void;
}

/** One end of the bridge between the two worlds: lends functions to the other, and calls those it was lent. */
export function createPeer(codec: Codec, outgoing: string, incoming: string): Peer {
  type Note =
    | { type: 'expose'; name: string; api: string }
    | { type: 'call'; fn: number; call: number; args: string }
    | { type: 'result'; call: number; state: 'returned' | 'promised' | 'threw'; value: string }
    | { type: 'settled'; call: number; ok: boolean; value: string };
  const page = globalThis as unknown as PageGlobal;
  // Taken before any script of the page runs: what the page makes of them later changes nothing here.
  const {
    CustomEvent: Event,
    Promise: Promised,
    Object: Objects,
    Map: Maps,
    JSON: Json,
    Error: Failure,
  } = globalThis as unknown as {
    CustomEvent: PageGlobal['CustomEvent'];
  } & typeof globalThis;
  const dispatch = page.dispatchEvent.bind(page);
  const tell = (note: Note): void => dispatch(new Event(outgoing, { detail: Json.stringify(note) }));

  const lent = new Maps<number, Fn>();
  const ids = new Maps<Fn, number>();
  const results = new Maps<number, { state: string; value: string }>();
  const pending = new Maps<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let calls = 0;

  const lend = (fn: Fn): number => {
    const id = ids.get(fn) ?? ids.size + 1;
    ids.set(fn, id);
    lent.set(id, fn);
    return id;
  };
  const read = (text: string): unknown => codec.decode(text, borrow, true);
  const borrow =
    (fn: number): Fn =>
    (...args) => {
      calls += 1;
      const call = calls;
      tell({ type: 'call', fn, call, args: codec.encode(args, lend) });
      // The other world has answered by now: events are dispatched synchronously.
      const result = results.get(call);
      results.delete(call);
      if (result === undefined) throw new Failure('The other world is gone.');
      if (result.state === 'threw') throw read(result.value);
      if (result.state === 'returned') return read(result.value);
      return new Promised((resolve, reject) => pending.set(call, { resolve, reject }));
    };

  const answer = (fn: number, call: number, args: string): void => {
    try {
      const value = lent.get(fn)?.(...(read(args) as unknown[]));
      if (!(value instanceof Promised)) {
        tell({ type: 'result', call, state: 'returned', value: codec.encode(value, lend) });
        return;
      }
      tell({ type: 'result', call, state: 'promised', value: 'null' });
      value.then(
        (settled: unknown) => tell({ type: 'settled', call, ok: true, value: codec.encode(settled, lend) }),
        (error: unknown) => tell({ type: 'settled', call, ok: false, value: codec.encode(error, lend) }),
      );
    } catch (error) {
      tell({ type: 'result', call, state: 'threw', value: codec.encode(error, lend) });
    }
  };

  page.addEventListener(
    incoming,
    ({ detail }) => {
      const note = Json.parse(detail) as Note;
      if (note.type === 'call') answer(note.fn, note.call, note.args);
      else if (note.type === 'result') results.set(note.call, note);
      else if (note.type === 'settled') {
        const waiting = pending.get(note.call);
        pending.delete(note.call);
        if (note.ok) waiting?.resolve(read(note.value));
        else waiting?.reject(read(note.value));
      } else {
        // Read-only and not configurable, as Electron binds it.
        Objects.defineProperty(page, note.name, { value: read(note.api), enumerable: true });
      }
    },
    true,
  );
  return { expose: (name, api) => tell({ type: 'expose', name, api: codec.encode(api, lend) }) };
}
