/** Where run/bundle.ts puts the programs and threads that tests start. */
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../out/tests/', import.meta.url);

/** A bundle, by its name. */
export const bundled = (name: string): URL => new URL(`${name}.js`, FOLDER);

/** Where it puts the API's document, which most tests check answers against. */
export const DOCUMENT = new URL('openapi.json', FOLDER);

/** Compile cache of the processes, reused by later ones. */
export const COMPILE_CACHE = fileURLToPath(new URL('compile-cache', FOLDER));

/** Set in the environment when the bundles are those of the sources. */
export const BUNDLED = 'PARLEY_TEST_BUNDLED';
