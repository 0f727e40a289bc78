import { onMac } from '../lib/platform.ts';
import { findByPress, isTyping } from '../lib/shortcuts.ts';
import { words } from '../lib/words/index.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Workbench } from './workbench.svelte.ts';

type Parts = Pick<Workbench, 'commands' | 'toasts'>;

/** Runs a command, and shows it when it fails. Never rejects. */
export async function runAndReport(
  { toasts }: Parts,
  command: Pick<Command, 'label' | 'run'>,
): Promise<void> {
  try {
    await command.run();
  } catch (problem) {
    toasts.complain(problem, (reason) => words.commands.failed(command.label, reason));
  }
}

/** Runs the command with that id, if it is available now, without waiting for it. */
export function runById(parts: Parts, id: string): void {
  const command = parts.commands.available.find((other) => other.id === id);
  if (command) void runAndReport(parts, command);
}

/** Whether a dialog is open over the page. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Runs the command whose shortcut was pressed, if nothing else has handled the press. */
export function runByKey(parts: Parts, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  // An open dialog has the keyboard to itself.
  if (isDialogOpen()) return;
  const typing = isTyping(document.activeElement);
  const command = findByPress(parts.commands.available, event, onMac, typing);
  if (command === null) return;
  event.preventDefault();
  void runAndReport(parts, command);
}
