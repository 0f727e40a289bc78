/** Entry of the thread that reads one document, sends its text in pieces, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Document, DocumentPiece } from './read-document.ts';

const { bytes, kind, maxCharacters } = workerData as Document & { maxCharacters: number };
const report = (piece: DocumentPiece): void => parentPort?.postMessage(piece);

// Discards what libraries print about a document; a library's unhandled rejection doesn't end the reading.
process.on('unhandledRejection', () => undefined);

try {
  if (kind === 'pdf') {
    const { readPdf } = await import('./read-pdf.ts');
    await readPdf(bytes, maxCharacters, (text) => report({ text }));
  } else {
    const { readDocx } = await import('./read-docx.ts');
    report({ text: await readDocx(bytes) });
  }
  report({ end: 'read' });
} catch (error) {
  report({ end: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'damaged' });
}
