import { EventEmitter } from 'node:events';
import { guardClass } from './guard.ts';

type Handler = (event: object, ...args: unknown[]) => unknown;

/** `ipcMain`, and the `ipc` of a page or a frame. */
export class IpcMain extends EventEmitter {
  /** Named as in Electron, where specs use it, too: there is no other way to call a handler as another sender. */
  readonly _invokeHandlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this._invokeHandlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    if (typeof handler !== 'function')
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`);
    this._invokeHandlers.set(channel, handler);
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel);
      return handler(event, ...args);
    });
  }

  removeHandler(channel: string): void {
    this._invokeHandlers.delete(channel);
  }
}
guardClass('ipcMain', IpcMain);

export const ipcMain = new IpcMain();
