/** Entry of the thread that reads one document, sends its text in pieces, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Document, DocumentPiece } from './read-document.ts';

const { bytes, kind, maxCharacters } = workerData as Document & { maxCharacters: number };
const tell = (piece: DocumentPiece): void => parentPort?.postMessage(piece);

// Discards what libraries print about a document; a library's unhandled rejection doesn't end the reading.
process.on('unhandledRejection', () => undefined);

try {
  if (kind === 'pdf') {
    const { readPdf } = await import('./read-pdf.ts');
    await readPdf(bytes, maxCharacters, (text) => tell({ text }));
  } else {
    const { readDocx } = await import('./read-docx.ts');
    tell({ text: await readDocx(bytes) });
  }
  tell({ end: 'read' });
} catch (error) {
  tell({ end: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'damaged' });
}
