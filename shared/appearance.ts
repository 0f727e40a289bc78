/** The page's colour behind everything, for whatever frames it; as `--sunken` in the page's tokens.css. */
export const FRAME_COLOURS = { light: '#f4f2ee', dark: '#131311' } as const;
