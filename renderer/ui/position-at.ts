/** The gap between a box and its anchor, and between it and the edges of the window, in CSS pixels. */
const GAP_PX = 6;
const EDGE_PX = 8;

/** Where to place a box: below or above an anchor, where there is room, with left or right edges aligned. */
export type Placement = 'below-start' | 'below-end' | 'above-start' | 'above-end';

/** Positions a fixed box at an anchor, within the window; an anchor without a height is a point. */
export function positionAt(box: HTMLElement, anchor: DOMRect, placement: Placement): void {
  const { width, height } = box.getBoundingClientRect();
  const gap = anchor.height === 0 ? 0 : GAP_PX;
  const above = anchor.top - gap - height;
  const below = anchor.bottom + gap;
  const fitsBelow = below + height <= innerHeight - EDGE_PX;
  const top = (placement.startsWith('above') && above >= EDGE_PX) || !fitsBelow ? above : below;
  const left = placement.endsWith('end') ? anchor.right - width : anchor.left;
  box.style.top = `${Math.max(EDGE_PX, Math.min(top, innerHeight - height - EDGE_PX))}px`;
  box.style.left = `${Math.max(EDGE_PX, Math.min(left, innerWidth - width - EDGE_PX))}px`;
}
