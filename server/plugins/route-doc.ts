import type { TSchema } from 'typebox';
import type { ApiErrorCode } from '../../shared/errors.ts';

/** What a caller's key needs, beyond being valid. */
export type Access = 'admin' | 'approve' | 'outgoing';

/** What the API's document says about a success, besides or instead of the schema of its answer. */
export interface AnswerDoc {
  /** What it means; needed where the status alone doesn't say it. */
  description?: string;
  /** What the body holds, by its media type; for answers that come ready made. */
  content?: Readonly<Record<string, TSchema>>;
  /** What its headers mean, by name. */
  headers?: Readonly<Record<string, string>>;
  /** The server-sent events that it consists of: what each means, and its data. */
  events?: Readonly<Record<string, TSchema>>;
}

/**
 * What a route's `schema` says for the API's document (routes/openapi/) alone. Keys, scopes, workspaces, and the errors that
 * follow from them, the document takes from the route itself.
 */
declare module 'fastify' {
  interface FastifySchema {
    /** What it does, in a few words. */
    summary?: string;
    /** What else there is to know, as Markdown. */
    description?: string;
    /** What generated clients call it. It never changes. */
    operationId?: string;
    /** The group it belongs to. */
    tags?: readonly string[];
    /** What the caller's key needs; absent: only to be valid. */
    access?: Access;
    /** Keeps it out of the document. */
    hide?: boolean;
    /** Codes of errors that only this route has. */
    errors?: readonly ApiErrorCode[];
    /** Codes of its errors that exist only in OpenAI's format, by status. */
    openAiErrors?: Readonly<Record<number, readonly string[]>>;
    /** More on its successes, by status. */
    answers?: Readonly<Record<number, AnswerDoc>>;
    /** What the body holds, by its media type, where no schema checks it. */
    bodyContent?: Readonly<Record<string, TSchema>>;
    /** Headers that a request may carry, and what they do. */
    requestHeaders?: Readonly<Record<string, string>>;
  }
}
