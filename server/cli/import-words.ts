import type { FileFindings, ImportResult } from '../../shared/api/data.ts';
import { count, note, say, withoutControls } from './terminal.ts';

/** Prints what an import or a restore came to. */
export function sayImport({ imported, copied, skipped, ...findings }: ImportResult): void {
  const parts = [
    `${count(imported, 'chat')} imported`,
    ...(copied > 0 ? [`${copied} as copies`] : []),
    ...(skipped > 0 ? [`${skipped} there already`] : []),
  ];
  say(`${parts.join(', ')}.`);
  tellFindings(findings);
}

/** Tells what in a file could not be taken as it stands. */
export function tellFindings({ mended, leftOut, problems }: FileFindings): void {
  if (mended + leftOut > 0) note(`${mended} put right, ${leftOut} left out:`);
  for (const { chat, title, message, what } of problems) {
    const place = [
      ...(chat === null ? [] : [`chat ${chat}`]),
      ...(title === undefined ? [] : [`“${title}”`]),
      ...(message === null ? [] : [`message ${message}`]),
    ];
    note(withoutControls(`  ${place.length === 0 ? '' : `${place.join(', ')}: `}${what}`));
  }
}
