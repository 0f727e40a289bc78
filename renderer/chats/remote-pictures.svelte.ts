import { SvelteMap } from 'svelte/reactivity';
import type { ApiClient } from '../api/client.ts';
import { fetchNamed } from '../api/files.ts';
import { WordedProblem } from '../api/problem.ts';
import { words } from '../lib/words/index.ts';
import type { ShownFile } from './shown-files.ts';

/** How many are kept; the oldest goes first. */
const MOST_KEPT = 30;

/** Pictures from other servers that a person asked for, in memory as long as the page is open. */
export class RemotePictures {
  readonly #api: Pick<ApiClient, 'open'>;
  readonly #measure: (picture: Blob) => Promise<{ width: number; height: number }>;
  readonly #shown = new SvelteMap<string, ShownFile>();

  constructor(api: Pick<ApiClient, 'open'>, measure = measurePicture) {
    this.#api = api;
    this.#measure = measure;
  }

  /** The picture of that address; undefined: it wasn't asked for. */
  find(address: string): ShownFile | undefined {
    return this.#shown.get(address);
  }

  /** Has the service fetch it. Rejects as the API does, and with a WordedProblem if it isn't a picture. */
  async show(address: string): Promise<void> {
    const path = `/api/v1/pictures?url=${encodeURIComponent(address)}`;
    const { file: blob, name } = await fetchNamed(this.#api, path);
    const size = await this.#measure(blob);
    this.#shown.set(address, { path, name, kind: 'image', bytes: blob.size, blob, ...size });
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > MOST_KEPT && oldest !== undefined) this.#shown.delete(oldest);
  }
}

async function measurePicture(picture: Blob): Promise<{ width: number; height: number }> {
  const image = new Image();
  image.src = URL.createObjectURL(picture);
  try {
    await image.decode().catch(() => {
      throw new WordedProblem(words.remotePicture.noPicture);
    });
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
