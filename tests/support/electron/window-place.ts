import { screen } from './screen.ts';
import { WindowLooks } from './window-looks.ts';

type Options = Electron.BaseWindowConstructorOptions;
type Rectangle = Electron.Rectangle;

const DEFAULT_SIZE = { width: 800, height: 600 };

/** Where a window is, and how large. */
export abstract class WindowPlace extends WindowLooks {
  #bounds: Rectangle;
  #maximized = false;
  #fullScreen = false;
  #minimum: [number, number];
  #maximum: [number, number];

  constructor(options: Options) {
    super(options);
    const { width = DEFAULT_SIZE.width, height = DEFAULT_SIZE.height } = options;
    const { workArea } = screen.getPrimaryDisplay();
    this.#bounds = {
      x: options.x ?? Math.round(workArea.x + (workArea.width - width) / 2),
      y: options.y ?? Math.round(workArea.y + (workArea.height - height) / 2),
      width,
      height,
    };
    this.#minimum = [options.minWidth ?? 0, options.minHeight ?? 0];
    this.#maximum = [options.maxWidth ?? 0, options.maxHeight ?? 0];
  }

  abstract showInactive(): void;
  abstract isMinimized(): boolean;

  maximize(): void {
    if (this.#maximized) return;
    this.#maximized = true;
    // Also shows a window that isn't shown, as documented; it isn't given the keyboard.
    this.showInactive();
    this.emit('maximize');
    this.#sized();
  }
  unmaximize(): void {
    if (!this.#maximized) return;
    this.#maximized = false;
    this.emit('unmaximize');
    this.#sized();
  }
  isMaximized(): boolean {
    return this.#maximized;
  }
  setFullScreen(full: boolean): void {
    if (full === this.#fullScreen) return;
    this.#fullScreen = full;
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen');
    this.#sized();
  }
  isFullScreen(): boolean {
    return this.#fullScreen;
  }
  get fullScreen(): boolean {
    return this.#fullScreen;
  }
  set fullScreen(full: boolean) {
    this.setFullScreen(full);
  }
  isSimpleFullScreen(): boolean {
    return false;
  }
  isKiosk(): boolean {
    return false;
  }
  isNormal(): boolean {
    return !this.isMinimized() && !this.#maximized && !this.#fullScreen;
  }

  getBounds(): Rectangle {
    const { bounds, workArea } = screen.getDisplayMatching(this.#bounds);
    if (this.#fullScreen) return { ...bounds };
    return this.#maximized ? { ...workArea } : { ...this.#bounds };
  }
  getNormalBounds(): Rectangle {
    return { ...this.#bounds };
  }
  getContentBounds(): Rectangle {
    return this.getBounds();
  }
  setBounds(change: Partial<Rectangle>, _animate = false): void {
    const before = this.#bounds;
    const wanted = { ...before, ...change };
    const [minimum, maximum] = [this.#minimum, this.#maximum];
    const within = (size: number, axis: 0 | 1): number =>
      Math.max(Math.min(size, maximum[axis] || Infinity), minimum[axis]);
    this.#bounds = { ...wanted, width: within(wanted.width, 0), height: within(wanted.height, 1) };
    if (before.x !== this.#bounds.x || before.y !== this.#bounds.y) {
      this.emit('move');
      this.emit('moved');
    }
    if (before.width !== this.#bounds.width || before.height !== this.#bounds.height) this.#sized();
  }
  setContentBounds(bounds: Rectangle): void {
    this.setBounds(bounds);
  }
  getSize(): number[] {
    return [this.getBounds().width, this.getBounds().height];
  }
  getContentSize(): number[] {
    return this.getSize();
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }
  getPosition(): number[] {
    return [this.getBounds().x, this.getBounds().y];
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }
  center(): void {
    const { workArea } = screen.getDisplayMatching(this.#bounds);
    this.setBounds({
      x: Math.round(workArea.x + (workArea.width - this.#bounds.width) / 2),
      y: Math.round(workArea.y + (workArea.height - this.#bounds.height) / 2),
    });
  }
  getMinimumSize(): number[] {
    return [...this.#minimum];
  }
  setMinimumSize(width: number, height: number): void {
    this.#minimum = [width, height];
  }
  getMaximumSize(): number[] {
    return [...this.#maximum];
  }
  setMaximumSize(width: number, height: number): void {
    this.#maximum = [width, height];
  }
  #sized(): void {
    this.emit('resize');
    this.emit('resized');
  }
}
