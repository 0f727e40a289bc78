/**
 * Values as text, between the main process, a preload's world and its page's: roughly what structured cloning keeps.
 * The functions are put into pages as source text, so they use nothing from outside themselves.
 */

/** Turns functions into something to send; absent: functions can't be sent, as over Electron's IPC. */
export type FunctionToId = (value: (...args: unknown[]) => unknown) => number;
export type IdToFunction = (id: number) => (...args: unknown[]) => unknown;

interface Tagged {
  t: string;
  v?: unknown;
}

/** Throws for what can't be cloned. */
export function encode(value: unknown, functionToId?: FunctionToId): string {
  const inProgress = new Set<unknown>();
  const walk = (one: unknown): unknown => {
    if (one === null || typeof one === 'string' || typeof one === 'boolean') return one;
    if (typeof one === 'number') return Number.isFinite(one) ? one : { t: 'number', v: String(one) };
    if (one === undefined) return { t: 'undefined' };
    if (typeof one === 'bigint') return { t: 'bigint', v: String(one) };
    if (typeof one === 'function' && functionToId !== undefined)
      return { t: 'function', v: functionToId(one as (...args: unknown[]) => unknown) };
    const kind = Object.prototype.toString.call(one).slice('[object '.length, -1);
    if (
      typeof one !== 'object' ||
      ['Promise', 'WeakMap', 'WeakSet', 'WeakRef'].includes(kind) ||
      inProgress.has(one)
    )
      throw new Error('An object could not be cloned.');
    inProgress.add(one);
    const encoded = walkObject(one, kind);
    inProgress.delete(one);
    return encoded;
  };
  const walkObject = (one: object, kind: string): Tagged => {
    if (kind === 'Array') return { t: 'array', v: (one as unknown[]).map(walk) };
    if (kind === 'Date') return { t: 'date', v: (one as Date).getTime() };
    if (kind === 'RegExp') return { t: 'regexp', v: [(one as RegExp).source, (one as RegExp).flags] };
    if (kind === 'Map')
      return { t: 'map', v: [...(one as Map<unknown, unknown>)].map((pair) => pair.map(walk)) };
    if (kind === 'Set') return { t: 'set', v: [...(one as Set<unknown>)].map(walk) };
    if (kind === 'ArrayBuffer') return { t: 'buffer', v: [...new Uint8Array(one as ArrayBuffer)] };
    if (ArrayBuffer.isView(one))
      return { t: 'bytes', v: [...new Uint8Array(one.buffer, one.byteOffset, one.byteLength)] };
    if (kind === 'Error') return { t: 'error', v: [(one as Error).name, (one as Error).message] };
    return { t: 'object', v: Object.entries(one).map(([key, member]) => [key, walk(member)]) };
  };
  return JSON.stringify(walk(value));
}

/** Decodes a value; with `freeze`, it and everything in it is frozen. */
export function decode(text: string, idToFunction?: IdToFunction, freeze = false): unknown {
  const kept = <T>(value: T): T => (freeze ? Object.freeze(value) : value);
  const walk = (one: unknown): unknown => {
    if (one === null || typeof one !== 'object') return one;
    const { t, v } = one as Tagged;
    if (t === 'undefined') return undefined;
    if (t === 'number') return Number(v);
    if (t === 'bigint') return BigInt(v as string);
    if (t === 'date') return new Date(v as number);
    if (t === 'regexp') return new RegExp(...(v as [string, string]));
    if (t === 'map')
      return new Map((v as [unknown, unknown][]).map(([key, member]) => [walk(key), walk(member)]));
    if (t === 'set') return new Set((v as unknown[]).map(walk));
    if (t === 'buffer') return Uint8Array.from(v as number[]).buffer;
    if (t === 'bytes') return Uint8Array.from(v as number[]);
    if (t === 'function') return idToFunction === undefined ? undefined : kept(idToFunction(v as number));
    if (t === 'error') {
      const [name, message] = v as [string, string];
      return Object.assign(new Error(message), { name });
    }
    if (t === 'array') return kept((v as unknown[]).map(walk));
    return kept(Object.fromEntries((v as [string, unknown][]).map(([key, member]) => [key, walk(member)])));
  };
  return walk(JSON.parse(text));
}
