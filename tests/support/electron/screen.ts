import { EventEmitter } from 'node:events';
import { guardClass } from './guard.ts';

type Rectangle = Electron.Rectangle;
type Point = Electron.Point;
/** Of a display, what an app places its windows by. */
export interface Display {
  id: number;
  label: string;
  bounds: Rectangle;
  workArea: Rectangle;
  size: Electron.Size;
  workAreaSize: Electron.Size;
  scaleFactor: number;
  rotation: number;
  internal: boolean;
}

const PANEL_HEIGHT = 32;

/** A display with a panel at its top. */
function display(id: number, { x, y, width, height }: Rectangle): Display {
  const workArea = { x, y: y + PANEL_HEIGHT, width, height: height - PANEL_HEIGHT };
  return {
    id,
    label: `Display ${id}`,
    bounds: { x, y, width, height },
    workArea,
    size: { width, height },
    workAreaSize: { width, height: workArea.height },
    scaleFactor: 1,
    rotation: 0,
    internal: id === 1,
  };
}

class Screen extends EventEmitter {
  #displays: Display[] = [display(1, { x: 0, y: 0, width: 1920, height: 1080 })];
  #cursor: Point = { x: 960, y: 540 };

  getPrimaryDisplay = (): Display => this.#displays[0] ?? display(1, { x: 0, y: 0, width: 800, height: 600 });
  getAllDisplays = (): Display[] => [...this.#displays];
  getCursorScreenPoint = (): Point => ({ ...this.#cursor });
  getDisplayNearestPoint = (point: Point): Display => this.#nearest((one) => distance(point, one.bounds));
  getDisplayMatching = (rectangle: Rectangle): Display => {
    const overlapping = this.#displays.toSorted(
      (a, b) => overlap(b.bounds, rectangle) - overlap(a.bounds, rectangle),
    )[0];
    return overlapping !== undefined && overlap(overlapping.bounds, rectangle) > 0
      ? overlapping
      : this.getDisplayNearestPoint(rectangle);
  };

  /** For tests alone: displays are plugged in and taken away. The first is the primary one. */
  standInDisplays(bounds: Rectangle[]): void {
    const before = this.#displays;
    this.#displays = bounds.map((rectangle, index) => display(index + 1, rectangle));
    for (const gone of before.slice(this.#displays.length)) this.emit('display-removed', {}, gone);
    for (const added of this.#displays.slice(before.length)) this.emit('display-added', {}, added);
  }
  /** For tests alone. */
  standInCursor(point: Point): void {
    this.#cursor = point;
  }

  #nearest(measure: (display: Display) => number): Display {
    return this.#displays.toSorted((a, b) => measure(a) - measure(b))[0] ?? this.getPrimaryDisplay();
  }
}
guardClass('screen', Screen);

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

function distance({ x, y }: Point, to: Rectangle): number {
  const dx = Math.max(to.x - x, 0, x - (to.x + to.width));
  const dy = Math.max(to.y - y, 0, y - (to.y + to.height));
  return Math.hypot(dx, dy);
}

export const screen = new Screen();
