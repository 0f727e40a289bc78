/**
 * Small versions of pictures. A chat may have hundreds of photos of many megabytes: each is fetched and decoded once, a few
 * at a time, and the list shows only small ones from then on. The latest to come into view goes first: that is what the reader looks
 * at, both in a chat just opened and while scrolling. A link can't carry the key, so all is fetched and shown from memory.
 */
import type { ApiClient } from '../api/client.ts';
import { fetchFile } from '../api/files.ts';
import { ConnectionProblem } from '../api/problem.ts';
import type { ShownFile } from './shown-files.ts';

/** Longer side of a small version, in pixels: twice its size on the page. */
const SIDE_PX = 640;
/** A picture with no more bytes and pixels than this is shown as it is. */
const SMALL_BYTES = 64 * 1024;
const SMALL_PIXELS = 2_000_000;
/** Decoding a picture of more pixels than this would take gigabytes. */
const MOST_PIXELS = 100_000_000;
const MOST_AT_A_TIME = 2;
/** How many are kept; each is about 40 kB. */
const MOST_KEPT = 300;

/** Makes a picture small; rejects if it isn't one. */
export type Shrink = (picture: Blob) => Promise<Blob>;

export class Thumbnails {
  readonly #api: Pick<ApiClient, 'open'>;
  readonly #shrink: Shrink;
  readonly #kept = new Map<string, Promise<Blob | null>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(api: Pick<ApiClient, 'open'>, shrink: Shrink = shrinkPicture) {
    this.#api = api;
    this.#shrink = shrink;
  }

  /** A picture small enough for a list; null: it can't be shown. Rejects as the API does; the next call tries again. */
  find(file: ShownFile): Promise<Blob | null> {
    const { path } = file;
    const kept = this.#kept.get(path);
    // Reinserted, so that the least recently used one is dropped first.
    if (kept) this.#kept.delete(path);
    const found = kept ?? this.#make(file);
    this.#kept.set(path, found);
    if (!kept) {
      found.catch(() => {
        if (this.#kept.get(path) === found) this.#kept.delete(path);
      });
    }
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return found;
  }

  async #make({ path, bytes, width = 0, height = 0, blob }: ShownFile): Promise<Blob | null> {
    if (width * height > MOST_PIXELS) return null;
    if (this.#running >= MOST_AT_A_TIME) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      const picture = blob ?? (await fetchFile(this.#api, path));
      const isSmall = bytes <= SMALL_BYTES && width * height <= SMALL_PIXELS;
      return isSmall ? picture : await this.#shrink(picture);
    } catch (problem) {
      // The service refused it, or it isn't a picture: trying again wouldn't help.
      if (problem instanceof ConnectionProblem) throw problem;
      return null;
    } finally {
      const next = this.#waiting.pop();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

async function shrinkPicture(picture: Blob): Promise<Blob> {
  const whole = await createImageBitmap(picture);
  const scale = Math.min(1, SIDE_PX / Math.max(whole.width, whole.height));
  const [width, height] = [whole.width, whole.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('Nothing can be drawn.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(whole, 0, 0, canvas.width, canvas.height);
  whole.close();
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
}
