/** The target of a page's context menu: see page-scripts.ts. */
import type { PageGlobal } from './page-bridge.ts';
import type { FromPreload } from './page-preload.ts';

interface PageElement {
  isContentEditable: boolean;
  tagName: string;
  closest(selector: string): { href: string } | null;
}

/** Reports context menus that the page doesn't handle itself to the main process. */
export function watchContextMenu(tell: (message: FromPreload) => void): void {
  const page = globalThis as unknown as PageGlobal;
  page.addEventListener(
    'contextmenu',
    (event) => {
      const { target, x, y } = event as unknown as { target: PageElement; x: number; y: number };
      const isEditable = target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName);
      const selectionText = (page['getSelection'] as () => { toString: () => string })().toString();
      const editFlags = {
        canUndo: isEditable,
        canRedo: isEditable,
        canCut: isEditable,
        canCopy: true,
        canPaste: isEditable,
        canDelete: isEditable,
        canSelectAll: true,
        canEditRichly: false,
      };
      const params = {
        x,
        y,
        isEditable,
        selectionText,
        editFlags,
        linkURL: target.closest('a')?.href ?? '',
        misspelledWord: '',
        dictionarySuggestions: [],
        mediaType: 'none',
      };
      // The page's own listeners come later, and may handle it.
      setTimeout(() => {
        if (!(event as unknown as { defaultPrevented: boolean }).defaultPrevented)
          tell({ type: 'context-menu', params });
      });
    },
    true,
  );
}
