/**
 * How much the tests of random operations, of kills and of large sizes do. Usually as much as showed planted faults; `npm run
 * test:thorough` does three times that (`PARLEY_EFFORT`), with the sizes that faults were first seen at.
 */
const EFFORT = Number(process.env.PARLEY_EFFORT ?? 1);

/** Rounds of a test: random inputs, kills, offsets. */
export const rounds = (usual: number): number => Math.ceil(usual * EFFORT);

/** Only every so many of the cases of a test that could try each. */
export const everyNth = (usual: number): number => Math.max(1, Math.round(usual / EFFORT));

/** A size that a usual run shall not wait for. */
export const sized = (usual: number, thorough: number): number => (EFFORT > 1 ? thorough : usual);
