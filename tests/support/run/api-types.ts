/** Writes the types that the window's client is checked by, to out/api.d.ts. */
import { mkdir, writeFile } from 'node:fs/promises';
import { apiTypes } from '../api-types.ts';

const OUT = new URL('../../../out/', import.meta.url);

await mkdir(OUT, { recursive: true });
await writeFile(new URL('api.d.ts', OUT), await apiTypes());
