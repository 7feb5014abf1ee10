import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATION_NAMES } from '../../infra/database/data-source.js';
import { BackupError } from './backup-error.js';

/** Version of the format. Increased when older versions of `restore` cannot read a backup. */
const FORMAT = 1;
const FILE = 'backup.json';

/** The file of a table. */
export interface TableDump {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** SHA-256 of the compressed file, hexadecimal. */
  readonly sha256: string;
}

export const OBJECT_MODES = ['copy', 'list'] as const;
export type ObjectMode = (typeof OBJECT_MODES)[number];

/** A secret that a restore needs and that is not in the backup. */
export interface KeptSecret {
  readonly name: string;
  readonly keptIn: string;
  readonly neededFor: string;
  /** Fingerprints of the keys. They reveal nothing about the keys. */
  readonly fingerprints: readonly string[];
}

/** `backup.json`. It is written last, so a folder without it is not a backup. */
export interface BackupManifest {
  readonly format: number;
  /** When the rows were read (ISO 8601). Newer objects have no row here. */
  readonly snapshotAt: string;
  readonly migrations: readonly string[];
  readonly installationId: string | null;
  /** Referenced tables come first. */
  readonly tables: readonly TableDump[];
  readonly objects: {
    readonly mode: ObjectMode;
    readonly count: number;
    readonly bytes: number;
    /** Objects that no longer existed when they were to be copied. */
    readonly missing: number;
    /** Keys of objects that could not be copied, because they are damaged. Absent in older backups. */
    readonly damaged?: readonly string[];
  };
  readonly secrets: readonly KeptSecret[];
}

export async function writeManifest(dir: string, manifest: Omit<BackupManifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  await writeFile(join(dir, FILE), text, { flag: 'wx', flush: true });
}

/** @throws BackupError if the folder has no backup that this version can read */
export async function readManifest(dir: string): Promise<BackupManifest> {
  const path = join(dir, FILE);
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as BackupManifest;
  } catch (error) {
    throw new BackupError(`${dir} holds no complete backup: ${path} cannot be read.`, { cause: error });
  }
  if (manifest.format !== FORMAT)
    throw new BackupError(`${path} has the format ${manifest.format}; this version reads ${FORMAT}.`);
  return manifest;
}

/** Migrations of a newer version of the service, which this version cannot restore. */
export function unknownMigrations(migrations: readonly string[]): readonly string[] {
  return migrations.filter((name) => !MIGRATION_NAMES.includes(name));
}
