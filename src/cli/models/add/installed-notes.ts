import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { LEVELS } from '../../../kernel/operations.js';
import type { ModelVersion } from '../../../models/repository/model-version.js';
import { parseManifest } from '../../../models/repository/parse-manifest.js';
import { InvalidVersion, readVersion } from '../../../models/repository/read-version.js';
import { TAKES_OVER } from '../install-version.js';
import { versionFolders } from '../../../models/repository/version-folders.js';

/**
 * What users should look at in a version that was installed, compared to those below it.
 * @param folder of a valid version
 */
export async function installedNotes(folder: string): Promise<readonly string[]> {
  const added = await readVersion(folder);
  return [await sizeChange(added), await sameFiles(added)].filter((note) => note !== undefined);
}

/**
 * What a command prints about a version that it has installed.
 * @param lines what it found out, before the notes
 */
export function installedText(
  folder: string,
  notes: readonly string[],
  lines: readonly string[] = [],
): string {
  const looks = notes.map((note) => `Look at ${note}`);
  return [
    `Installed: ${folder}`,
    ...lines,
    ...looks,
    ...(Number(basename(folder)) > 1 ? [TAKES_OVER] : []),
  ].join('\n');
}

/** Customers rely on the size of a level. */
async function sizeChange(added: ModelVersion): Promise<string | undefined> {
  const replaced = await versionBelow(added);
  if (replaced === undefined) return undefined;
  const changes = LEVELS.flatMap((level) => {
    const [before, after] = [replaced.routes[level].scale, added.routes[level].scale];
    return before === after ? [] : [`${level} ×${after} instead of ×${before}`];
  });
  if (changes.length === 0) return undefined;
  return `scale: results differ in size from those of version ${replaced.version}: ${changes.join(', ')}.`;
}

/** The highest valid version below, which the added one replaces. */
async function versionBelow(added: ModelVersion): Promise<ModelVersion | undefined> {
  for (const folder of await foldersBelow(added)) {
    try {
      return await readVersion(folder);
    } catch (error) {
      if (!(error instanceof InvalidVersion)) throw error;
    }
  }
  return undefined;
}

/** A command that was repeated by mistake has installed a model once more. Reads only manifests: files may be large. */
async function sameFiles(added: ModelVersion): Promise<string | undefined> {
  const { stages, levels } = added.manifest;
  for (const folder of await foldersBelow(added)) {
    const other = await manifestOf(folder);
    if (other === undefined || !isDeepStrictEqual(hashesOf(other.stages), hashesOf(stages))) continue;
    const isSame = isDeepStrictEqual([other.stages, other.levels], [stages, levels]);
    const rest = isSame ? `. Remove ${added.folder} if you do not need both.` : ', with another manifest.';
    return `files: version ${basename(folder)} has the same ones${rest}`;
  }
  return undefined;
}

/** A manifest that need not be valid. */
export interface ReadManifest {
  readonly name?: unknown;
  readonly source?: unknown;
  readonly stages?: unknown;
  readonly levels?: unknown;
}

/** Undefined when it cannot be read. */
export async function manifestOf(folder: string): Promise<ReadManifest | undefined> {
  try {
    const manifest = parseManifest(await readFile(join(folder, 'manifest.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Of all graphs and weights. */
export function hashesOf(stages: unknown): readonly string[] {
  const hashes = JSON.stringify(stages ?? {}).match(/(?<=")[0-9a-f]{64}(?=")/g) ?? [];
  return [...new Set(hashes)].toSorted();
}

/** Highest first. */
async function foldersBelow({ folder, version }: ModelVersion): Promise<readonly string[]> {
  const home = dirname(folder);
  return (await versionFolders(home))
    .filter((name) => Number(name) < version)
    .map((name) => join(home, name));
}
