import type { EventEmitter } from 'node:events';

/** Electron's event: a listener may prevent what would follow. */
export interface PreventableEvent {
  preventDefault(): void;
  readonly defaultPrevented: boolean;
}

/** An event with the given details on it. */
export function createEvent<T extends object>(details?: T): PreventableEvent & T {
  let prevented = false;
  const event = {
    preventDefault: () => {
      prevented = true;
    },
    get defaultPrevented() {
      return prevented;
    },
  };
  // Not spread: details may be getters that must stay so.
  if (details !== undefined) Object.defineProperties(event, Object.getOwnPropertyDescriptors(details));
  return event as PreventableEvent & T;
}

/** Emits an event first in the arguments; tells whether a listener prevented it. */
export function emitPreventable(emitter: EventEmitter, name: string, ...args: unknown[]): boolean {
  const event = createEvent();
  emitter.emit(name, event, ...args);
  return event.defaultPrevented;
}
