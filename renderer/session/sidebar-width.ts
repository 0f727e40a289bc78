/** Narrowest and widest the sidebar can be, in CSS pixels, and how far one press of an arrow key moves its edge. */
export const MIN_SIDEBAR_PX = 208;
export const MAX_SIDEBAR_PX = 520;
export const SIDEBAR_STEP_PX = 16;
/** The conversation keeps at least this much of the window. */
const ROOM_BESIDE_PX = 360;

/** The widest the sidebar may be in a window of that width. */
export const widestIn = (windowWidth: number): number =>
  Math.max(MIN_SIDEBAR_PX, Math.min(MAX_SIDEBAR_PX, windowWidth - ROOM_BESIDE_PX));

/** The allowed width nearest to the wanted one. */
export const clampWidth = (wanted: number, windowWidth: number): number =>
  Math.round(Math.max(MIN_SIDEBAR_PX, Math.min(wanted, widestIn(windowWidth))));
