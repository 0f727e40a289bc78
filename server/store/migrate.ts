import { MIGRATIONS, type Migration } from './migrations.ts';
import type { MemoryDatabase } from './database.ts';
import { newerFormat } from './store-error.ts';
import type { Store } from './types.ts';

/** The number of the last migration there is; 0 when there is none. */
export const latestVersion = (migrations: readonly Migration[] = MIGRATIONS): number =>
  migrations.at(-1)?.version ?? 0;

/** Throws StoreOpenError when the schema is newer than the migrations we have. */
export function refuseNewerSchema(dir: string, version: number, migrations: readonly Migration[]): void {
  if (version > latestVersion(migrations)) throw newerFormat(dir, version, latestVersion(migrations));
}

/** Brings a schema up to date: all migrations that are missing, in order, in one durable transaction. */
export async function migrate(
  store: Pick<Store, 'write'>,
  version: number,
  migrations: readonly Migration[],
): Promise<void> {
  const missing = migrations.filter((each) => each.version > version);
  if (missing.length === 0) return;
  await store.write((writer) => {
    for (const migration of missing) runMigration(writer, migration);
  });
}

/** As {@link migrate}, where it can't be logged; false when there was nothing to do. */
export function migrateInMemory(database: MemoryDatabase, migrations: readonly Migration[]): boolean {
  const missing = migrations.filter((each) => each.version > database.userVersion());
  for (const migration of missing) {
    database.begin();
    runMigration(database, migration);
    database.commit();
  }
  return missing.length > 0;
}

function runMigration(writer: { run(sql: string): unknown }, migration: Migration): void {
  for (const statement of migration.statements) writer.run(statement);
  writer.run(`PRAGMA user_version = ${migration.version}`);
}
