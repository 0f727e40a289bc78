import { MIGRATIONS, type Migration } from './migrations.ts';
import type { MemoryDatabase } from './database.ts';

/** Brings a schema up to date where it can't be logged. */
export function migrateInMemory(
  database: MemoryDatabase,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  database.begin();
  migrate(database, database.userVersion(), migrations);
  database.commit();
}

/** Brings a schema up to date: runs all migrations that are missing, in order. */
export function migrate(
  writer: { run(sql: string): unknown },
  version: number,
  migrations: readonly Migration[],
): void {
  const isNew = version === 0 && migrations === MIGRATIONS;
  for (const statement of isNew ? schemaOf(MIGRATIONS) : migrations.slice(version).flat())
    writer.run(statement);
  writer.run(`PRAGMA user_version = ${migrations.length}`);
}

const MAKES = /^(CREATE|DROP) (?:VIRTUAL )?(?:TABLE|INDEX|VIEW|TRIGGER) (\w+)/;
const ADDS = /^ALTER TABLE (\w+) ADD COLUMN (.+)$/s;
const RENAMES = /^ALTER TABLE (\w+) RENAME COLUMN (\w+) TO (\w+)$/;
const FILLS = /^INSERT INTO (\w+)/;

/**
 * What all migrations together make of an empty store, without their detours. A new store begins with it: running them one after
 * the other would take several times as long. Updates and deletions are left out, since there are no rows yet that they would change.
 */
function schemaOf(migrations: readonly Migration[]): string[] {
  const made = new Map<string, string[]>();
  const change = (name = '', how: (definition: string) => string): void => {
    const [definition = '', ...rows] = made.get(name) ?? [];
    made.set(name, [how(definition), ...rows]);
  };
  for (const statement of migrations.flat()) {
    const [, verb, name = ''] = MAKES.exec(statement) ?? [];
    const [, table, column] = ADDS.exec(statement) ?? [];
    const [, renamed, from = '', to = ''] = RENAMES.exec(statement) ?? [];
    if (verb === 'CREATE') made.set(name, [statement]);
    else if (verb === 'DROP') made.delete(name);
    else if (column !== undefined)
      change(table, (definition) => definition.replace(/\)([^)]*)$/, `, ${column})$1`));
    else if (renamed !== undefined)
      change(renamed, (definition) => definition.replace(new RegExp(`\\b${from}\\b`), to));
    else made.get(FILLS.exec(statement)?.[1] ?? '')?.push(statement);
  }
  return [...made.values()].flat();
}
