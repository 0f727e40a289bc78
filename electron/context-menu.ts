/** The right-click menu: spelling, copy and paste, links. Right clicks that open a menu of the page's own don't get here. */
import {
  clipboard,
  Menu,
  type BrowserWindow,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
} from 'electron';
import { withSeparators } from './menu.ts';
import { toOpenable } from './security.ts';
import type { Spelling } from './spelling.ts';
import { words } from './words.ts';

const MAX_SUGGESTIONS = 5;

/** Gives the window's page a context menu. */
export function setupContextMenu(window: BrowserWindow, spelling: Spelling): void {
  const { webContents } = window;
  webContents.on('context-menu', (_event, params) => {
    const template = contextMenu(params, spelling, {
      replace: (word) => webContents.replaceMisspelling(word),
      addWord: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
      copy: (text) => void clipboard.writeText(text),
    });
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
}

/** What the menu items do. */
export interface ContextMenuActions {
  replace: (word: string) => void;
  addWord: (word: string) => void;
  copy: (text: string) => void;
}

/** The menu for what was clicked; empty: none. */
export function contextMenu(
  params: ContextMenuParams,
  spelling: Spelling,
  actions: ContextMenuActions,
): MenuItemConstructorOptions[] {
  const { isEditable, editFlags, selectionText } = params;
  const groups: MenuItemConstructorOptions[][] = [];
  if (isEditable && params.misspelledWord !== '') groups.push(suggestions(params, actions));
  const link = toOpenable(params.linkURL);
  if (link !== null) groups.push([{ label: words.contextMenu.copyLink, click: () => actions.copy(link) }]);
  if (isEditable) {
    groups.push(
      [
        { role: 'undo', enabled: editFlags.canUndo },
        { role: 'redo', enabled: editFlags.canRedo },
      ],
      [
        { role: 'cut', enabled: editFlags.canCut },
        { role: 'copy', enabled: editFlags.canCopy },
        { role: 'paste', enabled: editFlags.canPaste },
        { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
        { role: 'selectAll', enabled: editFlags.canSelectAll },
      ],
      [checkSpelling(spelling)],
    );
  } else if (selectionText.trim() !== '') {
    groups.push([{ role: 'copy', enabled: editFlags.canCopy }]);
  }
  return withSeparators(groups);
}

function suggestions(
  { misspelledWord, dictionarySuggestions }: ContextMenuParams,
  { replace, addWord }: ContextMenuActions,
): MenuItemConstructorOptions[] {
  const found = dictionarySuggestions
    .slice(0, MAX_SUGGESTIONS)
    .map((word): MenuItemConstructorOptions => ({ label: word, click: () => replace(word) }));
  return [
    ...(found.length > 0 ? found : [{ label: words.contextMenu.noSuggestions, enabled: false }]),
    { label: words.contextMenu.addToDictionary, click: () => addWord(misspelledWord) },
  ];
}

function checkSpelling({ isChecked, needsDownload, setChecked }: Spelling): MenuItemConstructorOptions {
  const checked = isChecked();
  const { checkSpelling: label, checkSpellingLoads } = words.contextMenu;
  return {
    id: 'edit.spelling',
    label: needsDownload && !checked ? checkSpellingLoads : label,
    type: 'checkbox',
    checked,
    click: () => setChecked(!checked),
  };
}
