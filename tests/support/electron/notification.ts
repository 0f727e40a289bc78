import { EventEmitter } from 'node:events';
import { createEvent } from './events.ts';
import { guardClass } from './guard.ts';

/** Set in the environment: the system shows no notifications. */
const NONE = 'STAND_IN_NO_NOTIFICATIONS';

type Options = Electron.NotificationConstructorOptions;

/** A notification of the system. Tests emit `click` themselves. */
export class Notification extends EventEmitter {
  static isSupported = (): boolean => process.env[NONE] !== '1';

  readonly id: string;
  readonly groupId: string;
  title: string;
  subtitle: string;
  body: string;
  silent: boolean;
  icon: unknown;
  hasReply: boolean;
  urgency: string;
  timeoutType: string;
  actions: unknown[];
  sound: string;
  closeButtonText: string;
  replyPlaceholder: string;
  toastXml: string;
  #shown = false;

  constructor(options: Options = {}) {
    super();
    this.id = options.id ?? crypto.randomUUID();
    this.groupId = options.groupId ?? '';
    this.title = options.title ?? '';
    this.subtitle = options.subtitle ?? '';
    this.body = options.body ?? '';
    this.silent = options.silent ?? false;
    this.icon = options.icon;
    this.hasReply = options.hasReply ?? false;
    this.urgency = options.urgency ?? 'normal';
    this.timeoutType = options.timeoutType ?? 'default';
    this.actions = options.actions ?? [];
    this.sound = options.sound ?? '';
    this.closeButtonText = options.closeButtonText ?? '';
    this.replyPlaceholder = options.replyPlaceholder ?? '';
    this.toastXml = options.toastXml ?? '';
  }

  show(): void {
    if (!Notification.isSupported()) return;
    this.#shown = true;
    setImmediate(() => this.emit('show', createEvent()));
  }
  close(): void {
    if (!this.#shown) return;
    this.#shown = false;
    setImmediate(() => this.emit('close', createEvent({ reason: 'applicationHidden' })));
  }
}
guardClass('Notification', Notification);
