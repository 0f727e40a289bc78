/** Bundles what services are started from, before the specs run. */
export { bundle as default } from '../../support/run/bundle.ts';
