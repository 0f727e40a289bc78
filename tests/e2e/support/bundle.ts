/** Bundles the entries of services before the specs run, unless that was done. */
import { BUNDLED } from '../../support/bundled.ts';
import { bundle } from '../../support/run/bundle.ts';

export default async (): Promise<void> => {
  if (process.env[BUNDLED] === undefined) await bundle();
};
