const MAX_NAME_CHARACTERS = 80;
/** Characters that file systems reject, or that shells and people trip over. */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu;
/** Names that Windows reserves for devices, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A file name for something with this title, without an extension. */
export function fileNameFrom(title: string): string {
  const name = title.toWellFormed().replace(UNFIT, ' ').replace(/\s+/gu, ' ').trim();
  const short = Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('');
  const clean = short.replace(/^[.\s]+|(?<![.\s])[.\s]+$/gu, '');
  if (clean === '') return 'Chat';
  return DEVICE.test(clean) ? `Chat ${clean}` : clean;
}

/** The header that makes a browser save the response under that name (RFC 6266). */
export function attachment(fileName: string): string {
  const plain = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
