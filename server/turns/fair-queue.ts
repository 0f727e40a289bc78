/**
 * Who is next when several owners (workspaces, clients) wait: they take turns. Of the owners with something waiting, the one
 * served longest ago is next, and one that was never served comes before all others. What one owner has waiting keeps its order.
 * It has the shape of p-queue's `queueClass`, so it also orders the tasks of a PQueue.
 */
import PQueue, { type QueueAddOptions } from 'p-queue';

/** Options of an entry. */
export interface FairOptions extends QueueAddOptions {
  /** Unique among what waits; p-queue makes one up. */
  id?: string | undefined;
  /** Whose it is. */
  owner?: string;
}

interface Owner<T> {
  entries: Entry<T>[];
  /** Lower goes first. */
  turn: number;
}

interface Entry<T> {
  value: T;
  id: string;
  owner: Owner<T>;
  /** Counts up by one from an entry to the next of its owner. */
  number: number;
}

/** Owners with nothing waiting are remembered up to this number. */
const MAX_REMEMBERED = 1_000;

/** Waiting entries, nothing yet. */
export class FairQueue<T> {
  readonly #owners = new Map<string, Owner<T>>();
  readonly #entries = new Map<string, Entry<T>>();
  #served = 0;

  /** How many wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** How many owners have something waiting. */
  get waitingOwners(): number {
    return [...this.#owners.values()].filter(({ entries }) => entries.length > 0).length;
  }

  /** Puts it behind everything else of its owner. */
  enqueue(value: T, { id = '', owner: name = '' }: FairOptions = {}): void {
    const owner = this.#ownerOf(name);
    this.#owners.set(name, owner);
    const entry = { value, id, owner, number: (owner.entries.at(-1)?.number ?? 0) + 1 };
    owner.entries.push(entry);
    this.#entries.set(id, entry);
  }

  /** Takes out the next one. */
  dequeue(): T | undefined {
    let next: Owner<T> | undefined;
    for (const owner of this.#owners.values())
      if (owner.entries.length > 0 && (next === undefined || owner.turn < next.turn)) next = owner;
    const entry = next?.entries.shift();
    if (next === undefined || entry === undefined) return undefined;
    next.turn = this.#served += 1;
    this.#entries.delete(entry.id);
    if (this.size === 0 && this.#owners.size > MAX_REMEMBERED) this.#owners.clear();
    return entry.value;
  }

  /** Takes it out; those behind move on. False: it isn't waiting. */
  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { entries } = entry.owner;
    const index = indexOf(entry);
    entries.splice(index, 1);
    for (const behind of entries.slice(index)) behind.number -= 1;
    return this.#entries.delete(id);
  }

  /** 1 for the next one, and so on; 0: it isn't waiting. */
  position(id: string): number {
    const entry = this.#entries.get(id);
    return entry === undefined ? 0 : this.#positionIn(entry.owner, indexOf(entry));
  }

  /** The position that a new entry of this owner would get. */
  positionOfNew(name: string): number {
    const owner = this.#ownerOf(name);
    return this.#positionIn(owner, owner.entries.length);
  }

  /** Everything that waits; p-queue only asks for the number. */
  filter(): T[] {
    return [...this.#entries.values()].map(({ value }) => value);
  }

  /** p-queue calls this only when asked to change a priority. */
  setPriority(): never {
    throw new TypeError('Owners take turns, so there are no priorities.');
  }

  #ownerOf(name: string): Owner<T> {
    // A new one comes before all that were served, and after other new ones.
    return this.#owners.get(name) ?? { entries: [], turn: Number.MIN_SAFE_INTEGER + this.#owners.size };
  }

  /** One of each owner is served before the second of any, and so on. */
  #positionIn(owner: Owner<T>, index: number): number {
    let ahead = index;
    for (const other of this.#owners.values())
      if (other !== owner) ahead += Math.min(other.entries.length, index + (other.turn < owner.turn ? 1 : 0));
    return ahead + 1;
  }
}

type Run = () => Promise<unknown>;

/** How many turns may have a thread of their own at once: each takes the memory of one. */
export const ALONE_AT_ONCE = 2;

/** A p-queue in which owners take turns; `add` gets the `owner`. */
export const createFairPQueue = (concurrency: number): PQueue<FairQueue<Run>, FairOptions> =>
  new PQueue({ concurrency, queueClass: FairQueue<Run> });

const indexOf = <T>({ owner, number }: Entry<T>): number => number - (owner.entries[0]?.number ?? number);
