/** What the service knows of a kind of model server besides shared/providers.ts: how it is spoken to. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ListedModel } from '../../store/connection-repository.ts';
import type { AskLimits } from '../../net/ask.ts';
import { fieldsOf, type Fields } from '../../lib/fields.ts';

/** One page of a list of models. */
export interface Page {
  models: ListedModel[];
  /** What to add to the query for the next page; null: this is the last. */
  next: string | null;
}

/** A server that is being asked for its models. */
export interface ServerInView {
  /** Where its endpoints begin. */
  address: string;
  /** What each request to it carries. */
  headers: Record<string, string>;
  limits: AskLimits;
  /** The last page of its list, as it came. */
  list: unknown;
}

/** What a library makes a model of. */
export interface ModelSettings {
  /** Where the endpoints of its server begin. */
  baseURL: string;
  /** Empty: none. */
  apiKey: string;
  modelId: string;
  /** Tokens that it is to read at most; absent: nobody says. */
  contextTokens?: number;
  /** Makes its requests, and puts in what lets them in. */
  fetch: typeof fetch;
}

/** A library's model, as far as it is used. */
export type LoadedModel = Pick<LanguageModelV4, 'doStream'>;

/** How the servers of a kind are spoken to. Paths begin behind the address of the connection. */
export interface ProviderRecord {
  /** What lets Parley in, with that key or without one. */
  headers: (apiKey: string | null) => Record<string, string>;
  /** What people add to an address though it belongs to single endpoints. */
  endpoints: RegExp;
  /** The end of an address that people often leave out; empty: none. */
  versionPath: string;
  listPath: string;
  /** Null: that is no list of models. */
  readPage: (json: unknown) => Page | null;
  /** Its models go by the names of deployments, which it doesn't list: only what could be deployed there. */
  namesDeployments?: true;
  /** Adds what the list doesn't tell, as far as the limits allow; absent: it tells all. */
  addDetails?: (models: ListedModel[], server: ServerInView) => Promise<ListedModel[]>;
  /** Asks the model for a word, as short as it can be. */
  askForWord: (modelId: string) => { path: string; json: unknown };
  /**
   * How many tokens are reckoned with where nobody says how much a model reads: what today's models manage with, small ones
   * too, or for a provider whose present models read more, so much. A model that reads less says so.
   */
  assumedContextTokens: number;
  /** Its format holds pictures in what a tool gave. */
  takesPictures: boolean;
  /**
   * The model of its library. Addresses and keys are always given: what is left out, the libraries would look for in the
   * environment. Only the agents' thread calls this: the libraries are too heavy for the service's own.
   */
  load: (settings: ModelSettings) => Promise<LoadedModel>;
}

const MAX_ID_CHARACTERS = 300;
const CONTROLS = /\p{Cc}/u;

const isModelId = (id: string): boolean =>
  id.length <= MAX_ID_CHARACTERS && id.trim() !== '' && !CONTROLS.test(id);

/** The models that `read` finds in a list; it gives null for what no chat can use. */
export function modelsOf(
  list: readonly unknown[],
  read: (fields: Fields) => ListedModel | null,
): ListedModel[] {
  return list.flatMap((entry) => {
    const model = read(fieldsOf(entry));
    return model !== null && isModelId(model.id) ? [model] : [];
  });
}

/** What a model is asked for a word with. */
export const GREETING = 'Say hi.';
