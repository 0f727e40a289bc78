import { EventEmitter } from 'node:events';
import { guardClass } from './guard.ts';
import { IpcMain } from './ipc-main.ts';

/** What a frame needs of its page. */
export interface FrameHost {
  readonly processId: number;
  evaluateIn(frame: WebFrameMain, code: string): Promise<unknown>;
  sendTo(frame: WebFrameMain, channel: string, args: unknown[]): void;
  reload(): void;
}

let lastId = 0;

/** One frame of a page: the same object for as long as the frame is there, whatever is loaded into it. */
export class WebFrameMain extends EventEmitter {
  readonly frameTreeNodeId: number;
  readonly routingId: number;
  readonly frameToken: string = crypto.randomUUID();
  readonly ipc = new IpcMain();
  readonly visibilityState = 'visible';
  readonly osProcessId = 0;
  readonly parent: WebFrameMain | null;
  name = '';
  url = '';
  origin = 'null';
  detached = false;
  readonly #host: FrameHost;
  readonly #children = new Set<WebFrameMain>();

  constructor(host: FrameHost, parent: WebFrameMain | null) {
    super();
    lastId += 1;
    this.frameTreeNodeId = lastId;
    this.routingId = lastId;
    this.#host = host;
    this.parent = parent;
    if (parent !== null) parent.#children.add(this);
  }

  get processId(): number {
    return this.#host.processId;
  }
  get top(): WebFrameMain {
    return this.parent?.top ?? this;
  }
  get frames(): WebFrameMain[] {
    return [...this.#children];
  }
  get framesInSubtree(): WebFrameMain[] {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)];
  }
  isDestroyed(): boolean {
    return this.detached;
  }
  send(channel: string, ...args: unknown[]): void {
    this.#host.sendTo(this, channel, args);
  }
  executeJavaScript(code: string, _userGesture = false): Promise<unknown> {
    return this.#host.evaluateIn(this, code);
  }
  reload(): boolean {
    this.#host.reload();
    return true;
  }

  /** For the stand-in alone. */
  standInDetach(): void {
    for (const child of this.#children) child.standInDetach();
    this.detached = true;
    if (this.parent !== null) this.parent.#children.delete(this);
  }
}
guardClass('webFrameMain', WebFrameMain);
