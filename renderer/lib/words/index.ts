/** Every word the page shows outside the settings. */
export { en as words } from './en.ts';
