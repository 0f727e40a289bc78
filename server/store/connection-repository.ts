import type { Provider } from '../../shared/api/connection.ts';
import type { Reader, Writer } from './types.ts';

/** A model as its server listed it. */
export interface ListedModel {
  /** As the provider names it. */
  id: string;
  /** Tokens that it reads at most; null: it doesn't say. */
  contextTokens: number | null;
}

/** A connection as it is stored: never with its key, or what its headers say. */
export interface StoredConnection {
  id: string;
  provider: Provider;
  name: string;
  /** The first part of its models' names; never changes. */
  slug: string;
  /** Without a slash at its end; null: the provider's own address. */
  baseUrl: string | null;
  /** A key belongs to it: only then is one read, whatever is kept under its name. */
  hasKey: boolean;
  /** Of these headers values belong to it; only they are read. */
  headerNames: string[];
  models: ListedModel[];
  /** Null: never yet, or not since it moved. */
  modelsListedAt: string | null;
  createdAt: string;
}

/** What reaching a connection's server takes, without the list of its models, which can be long. */
export type ConnectionPlace = Pick<
  StoredConnection,
  'id' | 'provider' | 'name' | 'slug' | 'baseUrl' | 'hasKey' | 'headerNames'
>;

type PlaceRow = Omit<ConnectionPlace, 'hasKey' | 'headerNames'> & { hasKey: number; headerNames: string };
type Row = PlaceRow & Pick<StoredConnection, 'modelsListedAt' | 'createdAt'> & { models: string };

const PLACE = 'id, provider, name, slug, base_url AS baseUrl, has_key AS hasKey, header_names AS headerNames';
const COLUMNS = `${PLACE}, models, models_listed_at AS modelsListedAt, created_at AS createdAt`;

/** All connections, oldest first. */
export function listConnections(reader: Reader): StoredConnection[] {
  return reader.all<Row>(`SELECT ${COLUMNS} FROM connections ORDER BY created_at, id`).map(toConnection);
}

/** The connection of that id, or null. */
export function findConnection(reader: Reader, id: string): StoredConnection | null {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM connections WHERE id = ?`, [id]);
  return row && toConnection(row);
}

/** The connection whose models' names begin with that slug, or null. */
export function findConnectionBySlug(reader: Reader, slug: string): StoredConnection | null {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM connections WHERE slug = ?`, [slug]);
  return row && toConnection(row);
}

/** How the server of a slug's connection is reached, or null. */
export function findConnectionPlace(reader: Reader, slug: string): ConnectionPlace | null {
  const row = reader.get<PlaceRow>(`SELECT ${PLACE} FROM connections WHERE slug = ?`, [slug]);
  return row && toPlace(row);
}

/** How many connections there are. */
export function countConnections(reader: Reader): number {
  return reader.get<{ total: number }>('SELECT count(*) AS total FROM connections')?.total ?? 0;
}

/** Stores a new connection, whose models have not been listed. */
export function createConnection(
  writer: Writer,
  connection: Omit<StoredConnection, 'models' | 'modelsListedAt'>,
): void {
  writer.run(
    `INSERT INTO connections (id, provider, name, slug, base_url, has_key, header_names, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      connection.id,
      connection.provider,
      connection.name,
      connection.slug,
      connection.baseUrl,
      connection.hasKey ? 1 : 0,
      JSON.stringify(connection.headerNames),
      connection.createdAt,
    ],
  );
}

/** Stores what a person can change of a connection. One that moves has no list of models until they are listed anew. */
export function updateConnection(
  writer: Writer,
  id: string,
  {
    name,
    baseUrl,
    hasKey,
    headerNames,
  }: Pick<StoredConnection, 'name' | 'baseUrl' | 'hasKey' | 'headerNames'>,
): void {
  writer.run(
    `UPDATE connections SET models = '[]', models_listed_at = NULL WHERE id = ? AND base_url IS NOT ?`,
    [id, baseUrl],
  );
  writer.run('UPDATE connections SET name = ?, base_url = ?, has_key = ?, header_names = ? WHERE id = ?', [
    name,
    baseUrl,
    hasKey ? 1 : 0,
    JSON.stringify(headerNames),
    id,
  ]);
}

/** Stores which models a connection's server listed, unless the connection is gone or has moved meanwhile. */
export function updateListedModels(
  writer: Writer,
  { id, baseUrl }: Pick<StoredConnection, 'id' | 'baseUrl'>,
  models: ListedModel[],
  listedAt: string,
): void {
  writer.run('UPDATE connections SET models = ?, models_listed_at = ? WHERE id = ? AND base_url IS ?', [
    JSON.stringify(models),
    listedAt,
    id,
    baseUrl,
  ]);
}

/** Removes a connection; false: there was none. */
export function deleteConnection(writer: Writer, id: string): boolean {
  return writer.run('DELETE FROM connections WHERE id = ?', [id]) > 0;
}

const toPlace = <T extends PlaceRow>(
  row: T,
): Omit<T, 'hasKey' | 'headerNames'> & Pick<ConnectionPlace, 'hasKey' | 'headerNames'> => ({
  ...row,
  hasKey: row.hasKey === 1,
  headerNames: JSON.parse(row.headerNames) as string[],
});

const toConnection = (row: Row): StoredConnection => ({
  ...toPlace(row),
  models: JSON.parse(row.models) as ListedModel[],
});
