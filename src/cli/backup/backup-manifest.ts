import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.js';

/** Increased when a restore must know of a change to read a backup. */
const FORMAT = 1;
const FILE = 'backup.json';

/** What a table's file holds. */
export interface TableDump {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the compressed file, hexadecimal. */
  readonly sha256: string;
}

export const OBJECT_MODES = ['copy', 'list'] as const;
export type ObjectMode = (typeof OBJECT_MODES)[number];

/** A secret that the backup does not hold and a restore needs. */
export interface KeptSecret {
  readonly name: string;
  readonly keptIn: string;
  readonly neededFor: string;
  /** Tell the keys apart and give nothing away. */
  readonly fingerprints: readonly string[];
}

/** `backup.json`: written last, so a folder without it is no backup. */
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
    /** Copied by this backup, and not there any more. */
    readonly missing: number;
  };
  readonly secrets: readonly KeptSecret[];
}

export async function writeManifest(dir: string, manifest: Omit<BackupManifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  await writeFile(join(dir, FILE), text, { flag: 'wx', flush: true });
}

/** @throws BackupError when the folder holds no backup that this version can read */
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
