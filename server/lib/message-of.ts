/** What an error says, or what was thrown instead of one. It may quote what people wrote: logs take fault-report.ts. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
