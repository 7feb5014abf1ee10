import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `DATA_DIR/postgres.json`: how other processes find the embedded server. Contains no secrets. */
export interface ConnectionRecord {
  /** Kept across starts, so that stored URLs stay valid. */
  readonly port: number;
  /** The server's process, its stamp and its realm (see process-stamp.mjs) while it runs. */
  readonly pid?: number;
  readonly stamp?: string;
  readonly realm?: string;
}

const FILE = 'postgres.json';

/** Reads the record; `undefined` when missing or corrupt, because it can be recreated. */
export function readConnectionRecord(dataDir: string): ConnectionRecord | undefined {
  try {
    const parsed = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<ConnectionRecord>;
    return Number.isInteger(parsed.port) ? (parsed as ConnectionRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the record atomically. */
export async function writeConnectionRecord(dataDir: string, record: ConnectionRecord): Promise<void> {
  const path = join(dataDir, FILE);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
