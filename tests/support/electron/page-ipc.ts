import type { Session } from './chromium.ts';
import { decode, encode } from './codec.ts';
import { createEvent } from './events.ts';
import type { FrameTree } from './frame-tree.ts';
import { type IpcMain, ipcMain } from './ipc-main.ts';
import type { FromPreload, ToPreload } from './page-preload.ts';
import { BINDING, PRELOAD_WORLD, RECEIVER } from './page-scripts.ts';
import type { WebContents } from './web-contents.ts';
import type { WebFrameMain } from './web-frame-main.ts';

interface BindingCall {
  name: string;
  payload: string;
  executionContextId: number;
}

/** Messages between a page's preload and the main process. */
export class PageIpc {
  readonly #contents: WebContents;
  readonly #frames: FrameTree;
  #session: Session | null = null;

  constructor(contents: WebContents, frames: FrameTree) {
    this.#contents = contents;
    this.#frames = frames;
  }

  connect(session: Session): void {
    this.#session = session;
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }: BindingCall) => {
      const frame = this.#frames.frameOfContext(executionContextId);
      if (name !== BINDING || frame === undefined) return;
      this.#receive(frame, executionContextId, JSON.parse(payload) as FromPreload);
    });
  }

  /** Lost, as in Electron, when the frame has no preload to hear it. */
  send(frame: WebFrameMain, channel: string, args: unknown[]): void {
    const contextId = this.#frames.context(frame, PRELOAD_WORLD);
    const message: ToPreload = { type: 'message', channel, args: encode(args) };
    if (contextId !== undefined) this.#tell(contextId, message);
  }

  #tell(contextId: number, message: ToPreload): void {
    const expression = `globalThis[${JSON.stringify(RECEIVER)}]?.(${JSON.stringify(JSON.stringify(message))})`;
    this.#session?.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
  }

  #receive(frame: WebFrameMain, contextId: number, message: FromPreload): void {
    if (message.type === 'preload-error') {
      const error = new Error(message.message);
      this.#contents.emit(
        'preload-error',
        createEvent(),
        this.#contents.getLastWebPreferences().preload,
        error,
      );
      process.emitWarning(`Unable to load preload script: ${message.message}`);
      return;
    }
    if (message.type === 'context-menu') {
      this.#contents.emit('context-menu', createEvent(), { ...message.params, frame });
      return;
    }
    const args = decode(message.args) as unknown[];
    const ipcs: IpcMain[] = [frame.ipc, this.#contents.ipc, ipcMain];
    if (message.type === 'send') {
      const event = { ...this.#event(frame), returnValue: undefined, ports: [] };
      this.#contents.emit('ipc-message', createEvent(event), message.channel, ...args);
      const told = createEvent({
        ...event,
        reply: (channel: string, ...more: unknown[]) => this.send(frame, channel, more),
      });
      Object.defineProperty(told, 'senderFrame', senderFrame(frame));
      for (const ipc of ipcs) ipc.emit(message.channel, told, ...args);
      return;
    }
    const handler = ipcs
      .map((ipc) => ipc._invokeHandlers.get(message.channel))
      .find((known) => known !== undefined);
    const told = createEvent(this.#event(frame));
    Object.defineProperty(told, 'senderFrame', senderFrame(frame));
    const answer = async (): Promise<unknown> => {
      if (handler === undefined) throw new Error(`No handler registered for '${message.channel}'`);
      return handler(told, ...args);
    };
    answer().then(
      (value) => this.#tell(contextId, { type: 'answer', id: message.id, value: encode(value) }),
      (error: unknown) =>
        this.#tell(contextId, {
          type: 'answer',
          id: message.id,
          error: `Error invoking remote method '${message.channel}': ${String(error)}`,
        }),
    );
  }

  #event(frame: WebFrameMain): object {
    return {
      type: 'frame',
      sender: this.#contents,
      frameId: frame.routingId,
      processId: frame.processId,
      frameTreeNodeId: frame.frameTreeNodeId,
    };
  }
}

/** Null once the frame is gone, as documented. */
const senderFrame = (frame: WebFrameMain): PropertyDescriptor => ({
  get: () => (frame.detached ? null : frame),
  enumerable: true,
});
