import { words } from '../lib/words/index.ts';
import { commandsIn, type Command } from '../ui/commands.svelte.ts';
import type { Answerer } from './answerer.svelte.ts';

/** What commands need of a composer. */
interface ComposerActions {
  focus: () => void;
  stop: () => Promise<void>;
  /** How many messages wait: stopping ends them, too. */
  waiting: number;
  /** Whether there is a reply to stop. */
  canStop: () => boolean;
  answerer: Pick<Answerer, 'hasModes' | 'mode' | 'chooseMode'>;
  attach: () => void;
}

const go = commandsIn('go');
const inChat = commandsIn('chat');

/** The composer's commands; a compact composer offers no choices. */
export function composerCommands(actions: ComposerActions, compact: boolean): Command[] {
  const { answerer, canStop, stop, waiting } = actions;
  const text = words.composer.commands;
  const switchMode = (): void => answerer.chooseMode(answerer.mode === 'agent' ? 'chat' : 'agent');
  const both = [
    go('composer.focus', 'chat', text.focus, actions.focus, { shortcut: 'shift+escape' }),
    inChat('message.stop', 'stop', words.composer.stopLabel(waiting), stop, {
      shortcut: 'mod+.',
      isAvailable: canStop,
    }),
  ];
  if (compact) return both;
  return [
    ...both,
    inChat('composer.mode', 'switch', text.mode, switchMode, {
      keywords: text.modeKeywords,
      isAvailable: () => answerer.hasModes,
    }),
    inChat('composer.attach', 'attach', words.files.attach, actions.attach, {
      keywords: text.attachKeywords,
    }),
  ];
}
