import type { Provider } from '../../shared/api/connection.ts';
import { defineTable, flag, json, plain, text, type NewRow, type RowOf } from './table.ts';
import type { Writer } from './types.ts';

/** A model as its server listed it. */
export interface ListedModel {
  /** The provider's name for it. */
  id: string;
  /** Its context size in tokens; null: unknown. */
  contextTokens: number | null;
  /** Whether it looks at pictures, uses tools, thinks before it answers; absent: it doesn't say. */
  pictures?: boolean;
  tools?: boolean;
  reasoning?: boolean;
}

/** Never with keys, or what headers say. */
const CONNECTIONS = defineTable('connections', {
  id: text(),
  provider: plain<Provider>(),
  name: text(),
  /** The first part of its models' names; never changes. */
  slug: text(),
  /** Without a slash at its end; null: the provider's own address. */
  baseUrl: plain<string | null>(),
  /** A key belongs to it: only then is one read, whatever is kept under its name. */
  hasKey: flag(),
  /** Of these headers values belong to it; only they are read. */
  headerNames: json<string[]>(),
  /** How long the first word of a reply may take; null: as long as usual. */
  firstWordSeconds: plain<number | null>(null),
  models: json<ListedModel[]>([]),
  /** Null: never yet, or not since it moved. */
  modelsListedAt: plain<string | null>(null),
  createdAt: text(),
});

/** A connection as it is stored. */
export type StoredConnection = RowOf<typeof CONNECTIONS.columns>;

/** All connections, oldest first. */
export const listConnections = CONNECTIONS.list('ORDER BY created_at, id');

/** The connection of that id, or null. */
export const findConnection = CONNECTIONS.first<[id: string]>('WHERE id = ?');

/** The connection whose models' names begin with that slug, or null. */
export const findConnectionBySlug = CONNECTIONS.first<[slug: string]>('WHERE slug = ?');

const ACCESS = CONNECTIONS.only(
  'id',
  'provider',
  'name',
  'slug',
  'baseUrl',
  'hasKey',
  'headerNames',
  'firstWordSeconds',
);

/** How the server of a slug's connection is reached, without the list of its models, which can be long; or null. */
export const findConnectionAccess = ACCESS.first<[slug: string]>('WHERE slug = ?');

/** How many connections there are. */
export const countConnections = CONNECTIONS.count();

/** Stores a new connection, whose models have not been listed. */
export const createConnection: (
  writer: Writer,
  connection: Omit<NewRow<typeof CONNECTIONS.columns>, 'models' | 'modelsListedAt'>,
) => void = CONNECTIONS.insert;

const CHANGEABLE = ['name', 'baseUrl', 'hasKey', 'headerNames', 'firstWordSeconds'] as const;
const saveConnection = CONNECTIONS.update(CHANGEABLE, 'WHERE id = ?');
const saveModels = CONNECTIONS.update(['models', 'modelsListedAt'], 'WHERE id = ? AND base_url IS ?');

/** Stores what a person can change of a connection. One that moves has no list of models until they are listed anew. */
export function updateConnection(
  writer: Writer,
  id: string,
  connection: Pick<StoredConnection, (typeof CHANGEABLE)[number]>,
): void {
  writer.run(
    `UPDATE connections SET models = '[]', models_listed_at = NULL WHERE id = ? AND base_url IS NOT ?`,
    [id, connection.baseUrl],
  );
  saveConnection(writer, connection, id);
}

/** Stores which models a connection's server listed, unless the connection is gone or has moved meanwhile. */
export function updateListedModels(
  writer: Writer,
  { id, baseUrl }: Pick<StoredConnection, 'id' | 'baseUrl'>,
  models: ListedModel[],
  modelsListedAt: string,
): void {
  saveModels(writer, { models, modelsListedAt }, id, baseUrl);
}

/** Removes a connection; false: there was none. */
export const deleteConnection = CONNECTIONS.delete<[id: string]>('WHERE id = ?');
