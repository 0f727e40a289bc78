/**
 * Draws things in a separate thread, which is ended when one of them takes too long: the page never waits for the contents of a
 * message. The thread starts with the first request. Results are cached for a while, so that whatever comes into view
 * again is there at once, and whatever took too long isn't tried again.
 */
import type { DrawingRequest, DrawingReport, Drawings, Drawn } from './drawing-requests.ts';

/** A request's limit, in milliseconds. */
const LONGEST_MS = 2_000;
/** As many requests are sent ahead: a page that is busy with frames reads answers only between them. */
const AHEAD = 50;
/** The size of the cache, in characters of the requests. */
const KEPT_CHARACTERS = 2_000_000;

/** The part of a worker that is used. */
export type DrawingWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

interface Waiting {
  request: DrawingRequest;
  settle: (drawn: Drawn | null, isFinal: boolean) => void;
}

export class Drawing {
  readonly #start: () => DrawingWorker;
  readonly #queue: Waiting[] = [];
  /** Results to come, by the keys of their requests. */
  readonly #awaited = new Map<string, Promise<Drawn | null>>();
  readonly #kept = new Map<string, Drawn | null>();
  #keptCharacters = 0;
  #worker: DrawingWorker | null = null;
  #isReady = false;
  /** What the thread has been sent, in order: it works on the first. */
  readonly #sent: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `start` starts the thread; it may throw if there are no threads. */
  constructor(start: () => DrawingWorker) {
    this.#start = start;
  }

  /** The cached result of a request; null: it can't be drawn; undefined: it isn't known. */
  known<J extends DrawingRequest>(request: J): Drawings[J['kind']] | null | undefined {
    return this.#kept.get(keyOf(request)) as Drawings[J['kind']] | null | undefined;
  }

  /**
   * Draws; null: it can't be drawn, or not in time. Never rejects. `isPassing`: the same request is unlikely to come again, because
   * the text grows; its result isn't cached, unless it took too long.
   */
  async draw<J extends DrawingRequest>(request: J, isPassing = false): Promise<Drawings[J['kind']] | null> {
    const key = keyOf(request);
    const known = this.#kept.get(key);
    if (known !== undefined) return known as Drawings[J['kind']] | null;
    // A text may hold the same formula thousands of times.
    let drawn = this.#awaited.get(key);
    if (!drawn) {
      drawn = new Promise((resolve) => {
        this.#queue.push({
          request,
          settle: (answer, isFinal) => {
            this.#awaited.delete(key);
            if (isFinal && (answer === null || !isPassing)) this.#keep(key, answer);
            resolve(answer);
          },
        });
      });
      this.#awaited.set(key, drawn);
      this.#next();
    }
    return (await drawn) as Drawings[J['kind']] | null;
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    if (this.#worker === null && !this.#begin()) return;
    if (!this.#isReady) return;
    while (this.#sent.length < AHEAD) {
      const next = this.#queue.shift();
      if (!next) return;
      this.#worker?.postMessage(next.request);
      if (this.#sent.push(next) === 1) this.#startTimer();
    }
  }

  #startTimer(): void {
    this.#timer = setTimeout(() => this.#end(), LONGEST_MS);
  }

  #begin(): boolean {
    try {
      const worker = this.#start();
      worker.onmessage = ({ data }: MessageEvent<DrawingReport>) => this.#note(data);
      // It couldn't be loaded: the service may be away. The next request tries again.
      worker.onerror = () => this.#giveUp();
      this.#worker = worker;
      return true;
    } catch {
      this.#giveUp();
      return false;
    }
  }

  #note(report: DrawingReport): void {
    if (report.type === 'ready') this.#isReady = true;
    else this.#settle(report.drawn);
    this.#next();
  }

  #settle(drawn: Drawn | null): void {
    clearTimeout(this.#timer);
    const done = this.#sent.shift();
    if (this.#sent.length > 0) this.#startTimer();
    done?.settle(drawn, true);
  }

  /** Ends the thread with the request that it works on; the others go to a new one. */
  #end(): void {
    this.#drop();
    this.#queue.unshift(...this.#sent.splice(1));
    this.#settle(null);
    this.#next();
  }

  #giveUp(): void {
    this.#drop();
    clearTimeout(this.#timer);
    for (const { settle } of [...this.#sent.splice(0), ...this.#queue.splice(0)]) settle(null, false);
  }

  #drop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
  }

  #keep(key: string, drawn: Drawn | null): void {
    this.#kept.set(key, drawn);
    this.#keptCharacters += key.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptCharacters <= KEPT_CHARACTERS) return;
      this.#kept.delete(oldest);
      this.#keptCharacters -= oldest.length;
    }
  }
}

const keyOf = (request: DrawingRequest): string => Object.values(request).join(' ');

/** Named by the build; see electron.vite.config.ts. */
const THREAD_PATH = '/drawing-thread.js';

/** The page's only one. */
export const drawing = new Drawing(() => new Worker(THREAD_PATH, { type: 'module' }));
