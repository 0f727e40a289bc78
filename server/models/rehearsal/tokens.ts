const TOKEN = /\s*\S{1,12}|\s+/gu;

/** A text in pieces about as large as a language model's tokens; joined they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}
