import { words } from '../lib/words/index.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Answerer } from './answerer.svelte.ts';

/** What commands need of a composer. */
export interface ComposerActions {
  focus: () => void;
  stop: () => Promise<void>;
  /** How many messages wait: stopping ends them, too. */
  waiting: number;
  /** Whether there is a reply to stop. */
  canStop: () => boolean;
  answerer: Pick<Answerer, 'hasModes' | 'mode' | 'chooseMode'>;
  attach: () => void;
}

/** The composer's commands; a compact composer offers no choices. */
export function composerCommands(actions: ComposerActions, compact: boolean): Command[] {
  const { focus, mode, modeKeywords, attach, attachKeywords } = words.composer.commands;
  const both: Command[] = [
    {
      id: 'composer.focus',
      icon: 'chat',
      label: focus,
      group: 'go',
      shortcut: 'shift+escape',
      run: actions.focus,
    },
    {
      id: 'message.stop',
      icon: 'stop',
      label: words.composer.stopLabel(actions.waiting),
      group: 'chat',
      shortcut: 'mod+.',
      isAvailable: actions.canStop,
      run: actions.stop,
    },
  ];
  if (compact) return both;
  return [
    ...both,
    {
      id: 'composer.mode',
      icon: 'switch',
      label: mode,
      group: 'chat',
      keywords: modeKeywords,
      isAvailable: () => actions.answerer.hasModes,
      run: () => actions.answerer.chooseMode(actions.answerer.mode === 'agent' ? 'chat' : 'agent'),
    },
    {
      id: 'composer.attach',
      icon: 'attach',
      label: attach,
      group: 'chat',
      keywords: attachKeywords,
      run: actions.attach,
    },
  ];
}
