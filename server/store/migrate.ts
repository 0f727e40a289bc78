import { MIGRATIONS, type Migration } from './migrations.ts';
import type { MemoryDatabase } from './database.ts';
import { schemaOf } from './schema.ts';
import { newerFormat } from './store-error.ts';
import type { Store } from './types.ts';

/** Throws StoreOpenError when the schema is newer than the migrations we have. */
export function refuseNewerSchema(dir: string, version: number, migrations: readonly Migration[]): void {
  if (version > migrations.length) throw newerFormat(dir, version, migrations.length);
}

/** Brings a schema up to date: all migrations that are missing, in order, in one durable transaction. */
export async function migrate(
  store: Pick<Store, 'write'>,
  version: number,
  migrations: readonly Migration[],
): Promise<void> {
  if (version < migrations.length) await store.write((writer) => runFrom(writer, version, migrations));
}

/** As {@link migrate}, where it can't be logged. */
export function migrateInMemory(
  database: MemoryDatabase,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  database.begin();
  runFrom(database, database.userVersion(), migrations);
  database.commit();
}

function runFrom(
  writer: { run(sql: string): unknown },
  version: number,
  migrations: readonly Migration[],
): void {
  const isNew = version === 0 && migrations === MIGRATIONS;
  for (const statement of isNew ? schemaOf(MIGRATIONS) : migrations.slice(version).flat())
    writer.run(statement);
  writer.run(`PRAGMA user_version = ${migrations.length}`);
}
