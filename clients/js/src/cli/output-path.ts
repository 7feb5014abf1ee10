import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type CommandLine, UsageError } from './arguments.js';
import { EXTENSIONS, type Format, formatOf } from './image-format.js';

/**
 * Where the results of a batch go, decided before anything is paid for, but for the format, which the service may
 * choose. Results that would get the same name are numbered in the order of their sources, so that the same batch
 * gives the same names. The Python command line names them by the same rules.
 */
export class OutputPaths {
  /** Whether standard output is the image's, so that nothing else may be written there. */
  readonly isStandard: boolean;
  private readonly folder: string | undefined;
  private readonly numbers = new Map<string, number>();
  private readonly takenBy = new Map<string, string>();

  /** @throws UsageError when a source, or without --force any file that is there, would be written over */
  constructor(
    private readonly files: readonly string[],
    private readonly line: CommandLine,
  ) {
    const { output } = line;
    this.isStandard = output === '-' || (output === undefined && files.includes('-'));
    this.folder = output !== undefined && isFolder(output) ? output : undefined;
    this.checkCount();
    for (const file of files) this.reserve(file);
    this.makeFolder();
  }

  /** Where the result of a source goes, `-` for standard output. @throws UsageError when nothing may be written there */
  of(file: string, format: Format): string {
    const path = this.take(file, [EXTENSIONS[format]])[0]!;
    this.check(path);
    return path;
  }

  private checkCount(): void {
    const { output } = this.line;
    if (this.files.length < 2) return;
    if (this.isStandard) throw new UsageError('Only one image can go to standard output.');
    if (output !== undefined && this.folder === undefined) {
      throw new UsageError(
        `--output must be a folder for several images; ${output} is none. End it with "/" to make it.`,
      );
    }
  }

  private reserve(file: string): void {
    for (const path of this.take(file, extensionsOf(file, this.line))) this.check(path);
  }

  /** The names with all these extensions, under the first number at which nobody else has one of them. */
  private take(file: string, extensions: readonly string[]): string[] {
    for (let number = this.numbers.get(file) ?? 1; ; number += 1) {
      const paths = extensions.map((extension) => this.pathOf(file, extension, number));
      if (paths.some((path) => (this.takenBy.get(keyOf(path)) ?? file) !== file)) continue;
      for (const path of paths) this.takenBy.set(keyOf(path), file);
      this.numbers.set(file, number);
      return paths;
    }
  }

  private check(path: string): void {
    if (path === '-' || !existsSync(path)) return;
    if (this.files.some((source) => source !== '-' && isSame(source, path))) {
      throw new UsageError(`${path} is a source and is never written over. Choose another --output.`);
    }
    if (!this.line.force) {
      throw new UsageError(`${path} exists. Choose another --output, or write over it with --force.`);
    }
  }

  private pathOf(file: string, extension: string, number: number): string {
    const { output, operation } = this.line;
    if (this.isStandard) return '-';
    if (output !== undefined && this.folder === undefined) return output;
    const stem = file === '-' ? 'image' : basename(file, extname(file));
    const suffix = number === 1 ? '' : `-${number}`;
    return join(this.folder ?? dirname(file), `${stem}.${operation}${suffix}${extension}`);
  }

  /** Now, since a result that was paid for could not be written without it. */
  private makeFolder(): void {
    const { output } = this.line;
    if (output === undefined || this.isStandard) return;
    const folder = this.folder ?? dirname(output);
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      throw new UsageError(`The folder ${folder} cannot be made: ${(error as Error).message}`);
    }
  }
}

/** Upper and lower case, and the ways to write an accent, are the same to some file systems. */
const keyOf = (path: string): string => resolve(path).normalize('NFC').toLowerCase();

/** Also by another name, as a link or where upper and lower case are the same. */
function isSame(first: string, second: string): boolean {
  if (!existsSync(first) || !existsSync(second)) return false;
  const [one, other] = [statSync(first, { bigint: true }), statSync(second, { bigint: true })];
  return one.ino === other.ino && one.dev === other.dev;
}

const isFolder = (path: string): boolean =>
  /[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());

/** What the result's name may end in; the format of a source tells it, where its own name does not. */
function extensionsOf(file: string, { format, operation }: CommandLine): readonly string[] {
  const chosen = format ?? (operation === 'bg_remove' ? 'png' : undefined) ?? formatOf(extname(file));
  return chosen === undefined ? Object.values(EXTENSIONS) : [EXTENSIONS[chosen]];
}
