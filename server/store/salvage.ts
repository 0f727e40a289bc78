/** What can be saved after damage: readable rows of a damaged snapshot, and a consistent whole where changes are missing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type MemoryDatabase, openDatabase } from './database.ts';
import { type FileImage, MemoryFile } from './memory-file.ts';
import { migrateInMemory } from './migrate.ts';
import type { Migration } from './migrations.ts';
import type { ReadSnapshot } from './snapshot.ts';
import { DatabaseLostError } from './store-error.ts';
import type { SqlValue } from './types.ts';

/** The database in a snapshot; null if the snapshot is damaged. */
export async function openIntact({ image, state }: ReadSnapshot): Promise<MemoryDatabase | null> {
  if (state === 'damaged' || image.bytes === 0) return null;
  const database = await openDatabase(image).catch(nullIfDamaged);
  // Without a checksum to go by, the pages themselves must be intact.
  return database && (state === 'intact' || unlessDamaged(() => database.isIntact())) ? database : null;
}

/** The checksums of all bytes, and by their highest byte the bytes that they belong to. */
const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => ~crc32(Uint8Array.of(byte), 0xffffffff));
const BYTE_OF_CRC = new Uint8Array(256);
for (const [byte, crc] of CRC_OF_BYTE.entries()) BYTE_OF_CRC[crc >>> 24] = byte;

/**
 * The snapshot as it was before a single bit of it changed; null: something else is wrong with it. Each bit changes the checksum in
 * its own way, which depends on how far it is from the end: so the difference of the checksums is followed back to
 * where it is that of one bit.
 */
export async function repairFlippedBit({ image, crcDifference }: ReadSnapshot): Promise<FileImage | null> {
  if (crcDifference === 0) return null;
  const bits = new Map(Array.from({ length: 8 }, (_, bit) => [CRC_OF_BYTE[1 << bit], 1 << bit]));
  let difference = crcDifference;
  for (let at = image.bytes - 1; at >= 0; at -= 1) {
    const bit = bits.get(difference);
    if (bit !== undefined) {
      const file = new MemoryFile(image);
      file.write(Uint8Array.of((file.read(at, at + 1)[0] ?? 0) ^ bit), at);
      return file.freeze();
    }
    const byte = BYTE_OF_CRC[difference >>> 24] ?? 0;
    difference = (((difference ^ (CRC_OF_BYTE[byte] ?? 0)) << 8) | byte) >>> 0;
    if (at % SEARCHED_BYTES === 0) await nextTurn();
  }
  return null;
}

/** How far it is searched in one go. */
const SEARCHED_BYTES = 512 * 1024;

/** How many rows are read at once where nothing is damaged. */
const ROWS = 500;
/** After this many unreadable rows in a row, the distance to the next try doubles each time. */
const NEAR_ROWS = 50;

/**
 * A database with all rows of a damaged snapshot that can be read, or the snapshot's own if only values are damaged. Null:
 * nothing can be read.
 */
export async function salvageSnapshot(
  image: FileImage,
  migrations: readonly Migration[],
): Promise<MemoryDatabase | null> {
  const repaired = await withGoodHeader(image);
  if (repaired === null) return null;
  const opened = await openDatabase(repaired, { isDamaged: true }).catch(nullIfDamaged);
  if (opened === null) return null;
  const source = opened;
  const version = unlessDamaged(() => source.userVersion());
  // No snapshot of Parley's has a schema of version 0.
  if (!version || unlessDamaged(() => source.all('SELECT * FROM sqlite_schema')) === null) return null;
  if (unlessDamaged(() => source.isIntact()) && version <= migrations.length) return source;
  const target = await openDatabase(null);
  migrateInMemory(target, migrations.slice(0, version));
  for (const table of target.all<{ name: string; sql: string }>(TABLES)) await copyTable(table);
  return target;

  async function copyTable({ name: table, sql }: { name: string; sql: string }): Promise<void> {
    if (WITHOUT_ROWID.test(sql)) {
      // These are short: as a whole, or not at all.
      insertRows(table, unlessDamaged(() => source.all(`SELECT * FROM "${table}"`)) ?? []);
      return;
    }
    const select = `SELECT rowid AS _at, * FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    let after = -1;
    for (let unreadable = 0, limit = ROWS; Number.isSafeInteger(after);) {
      const rows = unlessDamaged(() => source.all<Record<string, SqlValue>>(select, [after, limit]));
      if (rows?.length === 0) return;
      const last = Number(rows?.at(-1)?.['_at']);
      // Rows of a damaged page may have any number, and only a higher one leads on.
      if (rows && last > after) {
        insertRows(table, rows);
        after = last;
        unreadable = 0;
        limit = ROWS;
      } else if (limit > 1) limit = 1;
      else {
        unreadable += 1;
        after += 2 ** Math.max(0, unreadable - NEAR_ROWS);
      }
      await nextTurn();
    }
  }

  function insertRows(table: string, rows: Record<string, SqlValue>[]): void {
    const names = Object.keys(rows[0] ?? {}).filter((name) => name !== '_at');
    const insert = `INSERT OR IGNORE INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')})
      VALUES (${names.map(() => '?').join(', ')})`;
    target.begin();
    for (const row of rows)
      target.run(
        insert,
        names.map((name) => row[name] ?? null),
      );
    target.commit();
  }
}

/** Tables of ours: those of full-text indexes are built again. */
const TABLES = `SELECT name, sql FROM sqlite_schema AS t WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'
  AND NOT EXISTS (SELECT 1 FROM sqlite_schema AS v WHERE v.sql LIKE 'CREATE VIRTUAL TABLE%' AND t.name LIKE v.name || '_%')`;

const WITHOUT_ROWID = /\)\s*without\s+rowid\s*$/i;

/** The result; null if it met damage. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    return nullIfDamaged(error);
  }
}

/** The result of a promise that met damage. */
function nullIfDamaged(error: unknown): null {
  if (error instanceof DatabaseLostError) return null;
  throw error;
}

/** Fields of SQLite's header that are the same in every snapshot, as [start, end]. The free list between them is empty. */
const CONSTANT_FIELDS = [
  [0, 24],
  [32, 40],
  [44, 60],
  [64, 68],
] as const;

/** The file with a header that SQLite accepts; null: it is too short for one. */
async function withGoodHeader(image: FileImage): Promise<FileImage | null> {
  if (image.bytes < 2 * HEADER_BYTES) return null;
  const empty = await openDatabase(null);
  const header = empty.freeze().pieces[0];
  const file = new MemoryFile(image);
  const repaired = Buffer.from(file.read(0, HEADER_BYTES));
  for (const [start, end] of CONSTANT_FIELDS) if (header) repaired.set(header.subarray(start, end), start);
  repaired.writeUInt32BE(Math.floor(image.bytes / repaired.readUInt16BE(16)), 28);
  // The number of pages only counts if these two are equal.
  repaired.copy(repaired, 92, 24, 28);
  file.write(repaired, 0);
  return file.freeze();
}

const HEADER_BYTES = 100;

const LOST_QUESTION = '[This message was lost: the file that held it was damaged.]';
const LOST_REPLY = 'This reply was lost: the file that held it was damaged. Try again.';

const IS_AT_REST = "chat_id IN (SELECT id FROM chats WHERE status IN ('idle', 'failed', 'stopped'))";
/** Ends replies that are not final. */
const FAIL_REPLIES = `UPDATE messages SET status = 'error', error_code = 'interrupted', error_message = ?
  WHERE role = 'assistant' AND status IN ('pending', 'streaming')`;
/** A `seq` after all messages, for each row that a statement adds. */
const AT_THE_END = '(SELECT max(seq) FROM messages) + row_number() OVER ()';

/** The order matters: each relies on those before it. */
const REPAIRS: readonly (readonly [sql: string, ...params: string[]])[] = [
  // A chat whose creation is missing is rebuilt from its messages. In imports and branches, messages come before their chat;
  // the next start removes those (import-repository.ts).
  [
    `INSERT INTO chats (id, workspace_id, agent_type, title, title_source, status, model, created_at, updated_at)
      SELECT chat_id, min(workspace_id), 'orchestrator', 'Recovered chat', 'default',
        CASE WHEN max(status = 'streaming' OR (role = 'assistant' AND status = 'pending')) THEN 'processing'
          WHEN max(status = 'pending') THEN 'pending' ELSE 'idle' END,
        coalesce(max(model), 'offline-assistant'), min(created_at), max(created_at)
      FROM messages WHERE chat_id NOT IN (SELECT id FROM chats) AND chat_id NOT IN
        (SELECT j.value FROM settings, json_each(settings.value) AS j WHERE settings.name IN ('importUnderWay', 'branchUnderWay'))
      GROUP BY chat_id`,
  ],
  [
    `INSERT INTO workspaces (id, name, created_at) SELECT workspace_id, 'Recovered', min(created_at) FROM chats
      WHERE workspace_id NOT IN (SELECT id FROM workspaces) GROUP BY workspace_id`,
  ],
  [
    `UPDATE chats SET project_id = NULL WHERE project_id IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM projects AS p WHERE p.workspace_id = chats.workspace_id AND p.id = project_id)`,
  ],
  [
    'UPDATE messages SET hidden_by = NULL WHERE hidden_by IS NOT NULL AND hidden_by NOT IN (SELECT id FROM messages)',
  ],
  // Every reply needs its question, which gets the nearest free place before it.
  [
    `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, status, mode, created_at)
      SELECT coalesce(
          (SELECT b.seq + 1 FROM (SELECT 0 AS seq UNION ALL SELECT seq FROM messages) AS b WHERE b.seq < reply.seq - 1
            AND NOT EXISTS (SELECT 1 FROM messages WHERE seq = b.seq + 1) ORDER BY b.seq DESC LIMIT 1),
          ${AT_THE_END}),
        reply_to, chat_id, workspace_id, 'user', ?, 'complete', 'agent', created_at
      FROM messages AS reply WHERE role = 'assistant' AND reply_to NOT IN (SELECT id FROM messages)
        AND chat_id IN (SELECT id FROM chats) GROUP BY reply_to`,
    LOST_QUESTION,
  ],
  // It is no longer known what there is to answer.
  [
    `${FAIL_REPLIES} AND reply_to IN (SELECT id FROM messages WHERE role = 'user' AND content = ?)`,
    LOST_REPLY,
    LOST_QUESTION,
  ],
  [`${FAIL_REPLIES} AND ${IS_AT_REST}`, LOST_REPLY],
  // Questions that seem to wait in an idle chat were answered; the reply is missing.
  [
    `INSERT INTO messages (seq, id, chat_id, workspace_id, role, content, status, error_code, error_message, reply_to, created_at)
      SELECT CASE WHEN EXISTS (SELECT 1 FROM messages WHERE seq = question.seq + 1) THEN ${AT_THE_END}
          ELSE question.seq + 1 END,
        id || '-lost', chat_id, workspace_id, 'assistant', '', 'error', 'interrupted', ?, id, created_at
      FROM messages AS question WHERE role = 'user' AND status = 'pending' AND ${IS_AT_REST}
        AND NOT EXISTS (SELECT 1 FROM messages WHERE reply_to = question.id)`,
    LOST_REPLY,
  ],
  [`UPDATE messages SET status = 'complete' WHERE role = 'user' AND status = 'pending' AND ${IS_AT_REST}`],
  ['DELETE FROM files WHERE message_id IS NOT NULL AND message_id NOT IN (SELECT id FROM messages)'],
];

/**
 * Makes rows consistent again after changes were lost, if the schema is Parley's. Call it once everything readable has been replayed.
 * Everything that was accepted and can still be read stays; where its chat, question or workspace is gone, it gets a new one.
 * Nothing that may already have been done is repeated: a reply that is missing or half written counts as failed, and
 * people can retry it.
 */
export function repairDatabase(database: MemoryDatabase): void {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_index'") === null) return;
  database.begin();
  for (const [sql, ...params] of REPAIRS) database.run(sql, params);
  // Indexes may no longer match the rows: they are made anew, after everything else.
  const indexes = "SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'";
  for (const { name, sql } of database.all<{ name: string; sql: string }>(indexes)) {
    database.run(`DROP TABLE ${name}`);
    // What migrations expect.
    if (name === 'messages_found') database.run(sql);
  }
  database.run('UPDATE search_index SET indexed_to = 0');
  database.commit();
}
