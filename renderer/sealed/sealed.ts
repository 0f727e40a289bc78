/** What can be shown in a sealed frame, and the messages between page and frame. */

const KINDS = ['mermaid', 'svg', 'html'] as const;

/** How a text is shown: as a drawing, or as a web page. */
export type SealedKind = (typeof KINDS)[number];

/** The kind for a block's language; null: it can't be shown. */
export const sealedKindOf = (language: string): SealedKind | null =>
  KINDS.find((kind) => kind === language) ?? null;

/** The part of Mermaid that is used; its script defines it. */
export interface Mermaid {
  initialize: (settings: Record<string, unknown>) => void;
  render: (id: string, text: string) => Promise<{ svg: string }>;
}

/** Sent by the page once, with a port for the answer. */
export interface SealedOrder {
  kind: SealedKind;
  text: string;
  /** In the colours of a dark page; only drawings follow it. */
  dark: boolean;
}

/** The frame's answer, given again when its width changes. It comes from where hostile text was drawn, so it is checked in full. */
export type SealedReport =
  | { type: 'shown'; /** In CSS pixels; null: as high as there is room. */ height: number | null }
  | { type: 'failed'; reason: string };

const LONGEST_REASON_CHARACTERS = 600;

/** Reads an answer; null: it isn't valid. */
export function readReport(data: unknown): SealedReport | null {
  if (typeof data !== 'object' || data === null || !('type' in data)) return null;
  if (data.type === 'failed') {
    const reason = 'reason' in data && typeof data.reason === 'string' ? data.reason : '';
    return { type: 'failed', reason: reason.trim().slice(0, LONGEST_REASON_CHARACTERS) };
  }
  if (data.type !== 'shown') return null;
  const height = 'height' in data && typeof data.height === 'number' && data.height > 0 ? data.height : null;
  return { type: 'shown', height };
}
