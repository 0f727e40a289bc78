/** What has to fit into a model's context, and how much of it. In tokens. */

/** What is left for an answer when what tools gave is cut to fit. */
export const answerRoom = (limit: number): number => Math.min(4_096, Math.floor(limit / 4));

/** What the files of the message to answer may take together where there is not enough room for all. */
export const filesShare = (limit: number): number => Math.floor(limit * 0.5);

/** What a tool once gave may take where there is not enough room for all of it. */
export const outputShare = (limit: number): number => Math.max(60, Math.floor(limit * 0.05));
