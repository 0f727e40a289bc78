const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/;
const MAX_MEDIA_TYPE_CHARACTERS = 100;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Longest name of a tool's file, in UTF-16 code units. */
export const MAX_TOOL_FILE_NAME_LENGTH = 120;

/** A media type that is valid in a header, without parameters. */
export function mediaTypeOf(text: string): string {
  const type = (text.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type.length <= MAX_MEDIA_TYPE_CHARACTERS && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE;
}
