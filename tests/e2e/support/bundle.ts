/** Bundles the entries of services, before the specs run. */
export { bundle as default } from '../../support/run/bundle.ts';
