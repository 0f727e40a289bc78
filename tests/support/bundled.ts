/** Where a bundle of tests is, by its name; run/bundle.ts makes them, and has this module find them. */
export const bundled = (name: string): URL => new URL(`./${name}.js`, import.meta.url);
