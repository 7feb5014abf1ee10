import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { ImageEnhancementError } from '../../errors.js';
import { type Format, formatOf } from '../image-format.js';
import { UsageError } from '../values.js';

/** The folders that the tools may read and write. An agent chooses the paths, so every path is checked. */
export class Roots {
  /** @param folders with all symbolic links resolved */
  private constructor(private readonly folders: readonly string[]) {}

  /** @throws UsageError for a path that is not a folder */
  static async of(given: readonly string[]): Promise<Roots> {
    const folders = await Promise.all(
      given.map(async (folder) => {
        const path = await realpath(folder).catch(() => undefined);
        if (path === undefined || !(await stat(path)).isDirectory())
          throw new UsageError(`--root must be a folder that exists, not ${folder}.`);
        return path;
      }),
    );
    return new Roots(folders);
  }

  /**
   * Resolves the path of an image to read. A relative path is relative to the first root.
   * @throws ImageEnhancementError `path_not_allowed` for a path outside the roots, even through a symbolic link;
   *   `invalid_file`
   */
  async readable(given: string): Promise<string> {
    const asked = this.resolved(given);
    const path = await realpath(asked).catch(() => undefined);
    // Outside the roots, missing files get the same error as existing ones, so that it does not reveal which exist.
    if (!this.holds(asked) || (path !== undefined && !this.holds(path))) throw this.notAllowed(given);
    checkedFormat(given);
    if (path === undefined || !(await stat(path)).isFile())
      throw new ImageEnhancementError('invalid_file', `There is no file ${given}.`);
    return path;
  }

  /**
   * Resolves the path of a result to write. Creates its folder if necessary.
   * @throws ImageEnhancementError `path_not_allowed`; `file_exists` unless `mayOverwrite`
   */
  async writable(given: string, mayOverwrite: boolean): Promise<string> {
    checkedFormat(given);
    const asked = this.resolved(given);
    if (!this.holds(asked)) throw this.notAllowed(given);
    const folder = await this.madeFolder(dirname(asked), given);
    const path = join(folder, basename(asked));
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && !(mayOverwrite && found.isFile())) {
      throw new ImageEnhancementError(
        'file_exists',
        `${given} exists. Choose another path, or set overwrite.`,
      );
    }
    return path;
  }

  /**
   * Resolves a folder for results, including symbolic links. Creates it if necessary.
   * @throws the errors of `writable`
   */
  async writableFolder(given: string): Promise<string> {
    const asked = this.resolved(given);
    if (!this.holds(asked)) throw this.notAllowed(given);
    return this.madeFolder(asked, given);
  }

  private async madeFolder(folder: string, given: string): Promise<string> {
    // The deepest existing folder determines the real location of a new folder.
    for (let part = folder; ; part = dirname(part)) {
      const real = await realpath(part).catch(() => undefined);
      if (real === undefined) continue;
      if (!this.holds(real)) throw this.notAllowed(given);
      break;
    }
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    if (!this.holds(real)) throw this.notAllowed(given);
    return real;
  }

  private resolved(given: string): string {
    if (this.folders.length === 0) throw this.notAllowed(given);
    return resolve(this.folders[0]!, given);
  }

  private holds(path: string): boolean {
    return this.folders.some((folder) => {
      const rest = relative(folder, path);
      return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && resolve(folder, rest) === path);
    });
  }

  private notAllowed(given: string): ImageEnhancementError {
    const allowed =
      this.folders.length === 0
        ? 'This server may use no folder: start it with --root FOLDER, or pass a URL.'
        : `Paths must be in ${this.folders.join(' or ')}.`;
    return new ImageEnhancementError('path_not_allowed', `${given} is not allowed. ${allowed}`);
  }
}

/** Allows only images, so that an agent can neither send nor overwrite other files. */
function checkedFormat(path: string): Format {
  const format = formatOf(extname(path));
  if (format !== undefined) return format;
  throw new ImageEnhancementError(
    'path_not_allowed',
    `${path} must end in .jpg, .jpeg, .png, .webp or .avif.`,
  );
}
