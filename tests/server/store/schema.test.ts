import { expect, it } from 'vitest';
import { openDatabase, type MemoryDatabase } from '../../../server/store/database.ts';
import { migrateInMemory } from '../../../server/store/migrate.ts';
import { MIGRATIONS } from '../../../server/store/migrations.ts';

/** The text of everything in the schema, without how it is laid out, and all rows. */
function contentsOf(database: MemoryDatabase): unknown {
  const schema = database
    .all<{ name: string; sql: string }>(
      'SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name',
    )
    .map(({ name, sql }) => [name, sql.replace(/\s*([(),])\s*/g, '$1').replace(/\s+/g, ' ')]);
  const rows = database
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map(({ name }) => [name, database.all(`SELECT * FROM "${name}"`)]);
  return { schema, rows, version: database.userVersion() };
}

it('a new store has what all migrations make, one after the other', async () => {
  const [fresh, migrated] = [await openDatabase(null), await openDatabase(null)];
  migrateInMemory(fresh);
  migrateInMemory(migrated, [...MIGRATIONS]);
  expect(contentsOf(fresh)).toEqual(contentsOf(migrated));
  // Characters within quotes count, which the comparison of texts doesn't see.
  const pattern = "title GLOB '*[^ -~]*'";
  for (const { sql } of fresh.all<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE sql LIKE '%GLOB%'"))
    expect(sql).toContain(pattern);
});
