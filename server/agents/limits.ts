/** When a conversation is summarised, and how. Tokens unless a name says otherwise. */

/** After a reply: from this share of the limit on, older messages are summarised. */
export const FULL_AT = 0.8;

/** Before a turn: above this share there is no room for a good reply any more. */
export const TOO_FULL_AT = 0.9;

/** The newest exchanges that are kept may take up this share. */
export const KEPT_SHARE = 0.4;

/** So many exchanges are kept at least, where they fit. */
export const KEPT_EXCHANGES = 2;

/** After a reply: less than this share is not worth a request to the model. */
export const WORTH_SUMMARISING_SHARE = 0.1;

/** How long a summary may be: a tenth of the limit, within these bounds. */
export const summaryTokens = (limit: number): number =>
  Math.min(1_500, Math.max(200, Math.round(limit * 0.1)));

/** How long making a summary may take; what is missing by then is extracted. In milliseconds. */
export const SUMMARY_TIMEOUT_MS = 30_000;

/** How long naming a chat may take, in milliseconds. */
export const TITLE_TIMEOUT_MS = 15_000;

/** What is left for an answer when what tools gave is cut to fit. */
export const answerRoom = (limit: number): number => Math.min(4_096, Math.floor(limit / 4));

/** What the files of the message to answer may take together where there is not enough room for all. */
export const filesShare = (limit: number): number => Math.floor(limit * 0.5);

/** What a tool once gave may take where there is not enough room for all of it. */
export const outputShare = (limit: number): number => Math.max(60, Math.floor(limit * 0.05));
