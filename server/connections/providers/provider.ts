/** What the service knows about a kind of model server, besides shared/providers.ts: how to talk to it. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ListedModel } from '../../store/connection-repository.ts';
import type { RequestLimits } from '../../net/request-json.ts';
import { fieldsOf, listOf, type Fields } from '../../lib/fields.ts';

/** One page of a list of models. */
export interface Page {
  models: ListedModel[];
  /** What to add to the query for the next page; null: this is the last. */
  next: string | null;
}

/** A server that is being asked for its models. */
export interface ServerInView {
  /** The base address of its endpoints. */
  address: string;
  /** The headers of each request. */
  headers: Record<string, string>;
  limits: RequestLimits;
  /** The last page of its list, as it came. */
  list: unknown;
}

/** What a library needs to create a model. */
export interface ProviderSettings {
  /** The base address of its server's endpoints. */
  baseURL: string;
  /** Empty: none. */
  apiKey: string;
  modelId: string;
  /** Context size in tokens; absent: unknown. */
  contextTokens?: number;
  /** Makes its requests, with credentials. */
  fetch: typeof fetch;
}

/** The part of a library's model that is used. */
export type LoadedModel = Pick<LanguageModelV4, 'doStream'>;

/** What servers of a kind take in the messages of a request. */
export interface MessageRules {
  /** How it gets the arguments of calls: as text, or as an object. */
  arguments: 'text' | 'object';
  /** Which thoughts it takes back: of any model, of its own, only those that it signed, or none unless it asks for them. */
  thoughts: 'any' | 'own' | 'signed' | 'none';
  /** Its library has no field for thoughts, which go beside the text as `reasoning_content`. */
  hasThoughtsApart?: true;
  /** It has one list for pictures, apart from the text. */
  hasPicturesApart?: true;
  /** Results of tools must be followed by the assistant. */
  answersResults?: true;
  /** In a request that lets it think, the last calls must follow a thought. */
  thinksBeforeCalls?: true;
}

/** How to talk to servers of a kind. Paths are relative to the connection's address. */
export interface ProviderRecord {
  /** The headers for authentication, with that key or without one. */
  headers: (apiKey: string | null) => Record<string, string>;
  /** Endpoint paths that people mistakenly include in an address. */
  endpoints: RegExp;
  /** The end of an address that people often leave out; empty: none. */
  versionPath: string;
  listPath: string;
  /** Null: it is not a list of models. */
  readPage: (json: unknown) => Page | null;
  /** Its models are called by the names of deployments, but its list only has models that could be deployed. */
  namesDeployments?: true;
  /** Adds what the list lacks, as far as the limits allow; absent: the list is complete. */
  addDetails?: (models: ListedModel[], server: ServerInView) => Promise<ListedModel[]>;
  /** Asks the model for a word, as short as it can be. */
  askForWord: (modelId: string) => { path: string; json: unknown };
  /** The context size assumed for a model of unknown size: what the smallest of the provider's current models have. */
  assumedContextTokens: number;
  /** How much a model may write that the library doesn't know, which would be little; absent: no limit is needed. */
  unknownModelWrites?: number;
  rules: MessageRules;
  /** Its format allows pictures in tool results. */
  takesPictures: boolean;
  /** Creates the library's model, in the agents' thread. Address and key are always passed: libraries look for missing ones in the environment. */
  load: (settings: ProviderSettings) => Promise<LoadedModel>;
}

const MAX_ID_CHARACTERS = 300;
const CONTROLS = /\p{Cc}/u;

const isModelId = (id: string): boolean =>
  id.length <= MAX_ID_CHARACTERS && id.trim() !== '' && !CONTROLS.test(id);

/** The page with the models that `read` finds in a list (null: chats can't use that entry). Null: it is not a list. */
export function pageOf(
  list: unknown,
  read: (fields: Fields) => (Omit<ListedModel, 'id'> & { id: string | null }) | null,
  next: string | null = null,
): Page | null {
  // Programs written in Go send an empty list as null. Some lists are of names alone.
  const models = (list === null ? [] : listOf(list))?.flatMap((entry) => {
    const { id = null, ...rest } = read(typeof entry === 'string' ? { id: entry } : fieldsOf(entry)) ?? {
      contextTokens: null,
    };
    return id !== null && isModelId(id) ? [{ id, ...rest }] : [];
  });
  return models === undefined ? null : { models, next };
}

/** The prompt that asks a model for a word. */
export const GREETING = 'Say hi.';
