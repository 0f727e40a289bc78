import { describeProblem } from '../api/problem-words.ts';

/** A toast's text and button. */
export interface ToastContent {
  text: string;
  /** A button, e.g. Undo. */
  action?: { label: string; run: () => void | Promise<void> };
  /** `problem` stays until it is closed. `info` unless given. */
  kind?: 'info' | 'problem';
  /** What it is about: it replaces an earlier one about the same. */
  about?: string;
}

/** A toast being shown. */
export interface Toast extends ToastContent {
  id: number;
}

/** How long a toast stays, in milliseconds: with a button, and without. */
const WITH_ACTION_MS = 12_000;
const PLAIN_MS = 4_000;
const AT_MOST = 4;

/** Short messages about what has just happened, some with an Undo. */
export class Toasts {
  items = $state.raw<Toast[]>([]);
  #next = 1;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Shows a toast; it disappears by itself unless it is a problem. */
  show(content: ToastContent): void {
    const earlier = this.items.find(({ about }) => about !== undefined && about === content.about);
    if (earlier) this.close(earlier.id);
    const toast = { ...content, id: this.#next };
    this.#next += 1;
    this.items = [...this.items, toast];
    const surplus = this.items.length > AT_MOST ? leastMissed(this.items) : undefined;
    if (surplus) this.close(surplus.id);
    if (content.kind !== 'problem') this.#plan(toast);
  }

  /** Shows why something failed: the reason, or the sentence that `failed` makes of it. */
  complain(problem: unknown, failed = (reason: string) => reason, action?: ToastContent['action']): void {
    this.show({ text: failed(describeProblem(problem)), kind: 'problem', ...(action && { action }) });
  }

  /** Shows the outcome of something: the sentence that `work` resolves with, or why it failed. Never rejects. */
  async report(work: () => Promise<string>, failed: (reason: string) => string): Promise<void> {
    try {
      this.show({ text: await work() });
    } catch (problem) {
      this.complain(problem, failed);
    }
  }

  close(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.items = this.items.filter((toast) => toast.id !== id);
  }

  hold(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  release(): void {
    for (const toast of this.items) if (toast.kind !== 'problem') this.#plan(toast);
  }

  #plan(toast: Toast): void {
    clearTimeout(this.#timers.get(toast.id));
    const wait = toast.action ? WITH_ACTION_MS : PLAIN_MS;
    this.#timers.set(
      toast.id,
      setTimeout(() => this.close(toast.id), wait),
    );
  }
}

/** The one to remove when there are too many: those with an Undo or a problem stay the longest. */
function leastMissed(toasts: Toast[]): Toast | undefined {
  const weigh = ({ action, kind }: Toast): number => (action ? 2 : 0) + (kind === 'problem' ? 1 : 0);
  const others = toasts.slice(0, -1);
  const least = Math.min(...others.map(weigh));
  return others.find((toast) => weigh(toast) === least);
}
