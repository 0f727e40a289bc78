import type { SendKey } from '../../shared/api/settings.ts';

/** What is read of a key press in the box. */
export type BoxKey = Pick<
  KeyboardEvent,
  'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'keyCode'
>;

/** Safari's key code for the Enter that ends an input method's composition, when `isComposing` is already false. */
const COMPOSITION_KEY_CODE = 229;

/** Whether a key press sends. Ctrl or Cmd with Enter always does; an Enter that belongs to an input method never does. */
export function sends(press: BoxKey, sendKey: SendKey): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- https://bugs.webkit.org/show_bug.cgi?id=165004
  if (press.key !== 'Enter' || press.isComposing || press.keyCode === COMPOSITION_KEY_CODE) return false;
  if (press.altKey) return false;
  return press.ctrlKey || press.metaKey || (sendKey === 'enter' && !press.shiftKey);
}
