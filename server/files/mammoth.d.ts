/** The library's own access to the parts of a DOCX, which it also takes instead of bytes. */
declare module 'mammoth/lib/zipfile.js' {
  export interface DocxParts {
    exists: (name: string) => boolean;
    /** Without an encoding, its bytes. */
    read: (name: string, encoding?: string) => Promise<string | Uint8Array>;
  }
  export function openArrayBuffer(bytes: Uint8Array): Promise<DocxParts>;
}
