import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BackedUpTable } from './backed-up-tables.js';
import { BackupError } from './backup-error.js';
import type { TableDump } from './backup-manifest.js';

/** Below the folder of a backup. */
export const TABLES_FOLDER = 'tables';

/** Writes the rows of a table in the text format of COPY, compressed. Runs in the caller's transaction. */
export async function dumpTable(
  client: pg.ClientBase,
  dir: string,
  { name, columns }: BackedUpTable,
): Promise<TableDump> {
  const source = client.query(copyTo(`COPY ${target(name, columns)} TO STDOUT`));
  const hash = createHash('sha256');
  const hashed = new PassThrough().on('data', (chunk: Buffer) => hash.update(chunk));
  const file = createWriteStream(pathOf(dir, name), { flags: 'wx', flush: true });
  await pipeline(source, createGzip(), hashed, file);
  return { name, columns, rows: source.rowCount, sha256: hash.digest('hex') };
}

/** Loads a table's file into the table. @throws BackupError if the file is damaged */
export async function loadTable(client: pg.ClientBase, dir: string, dump: TableDump): Promise<void> {
  const { name, columns, rows, sha256 } = dump;
  await verifyFile(pathOf(dir, name), sha256);
  const sink = client.query(copyFrom(`COPY ${target(name, columns)} FROM STDIN`));
  await pipeline(createReadStream(pathOf(dir, name)), createGunzip(), sink);
  if (sink.rowCount !== rows)
    throw new BackupError(`The table ${name} has ${sink.rowCount} rows instead of ${rows}.`);
}

async function verifyFile(path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new BackupError(`${path} cannot be read.`, { cause: error });
  }
  if (hash.digest('hex') !== sha256)
    throw new BackupError(`${path} is corrupt: its checksum does not match.`);
}

function pathOf(dir: string, table: string): string {
  return join(dir, TABLES_FOLDER, `${table}.copy.gz`);
}

function target(table: string, columns: readonly string[]): string {
  return `${pg.escapeIdentifier(table)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}
