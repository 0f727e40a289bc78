/** Every word the page shows. */
export { en as words } from './en.ts';
