import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { webAddress } from '../files/file-input.js';
import { type CommandLine, UsageError } from './arguments.js';
import { EXTENSIONS, extensionOf, formatOf } from './image-format.js';

/**
 * Where the results of a batch go, decided before anything is paid for. Results that would get the same name are
 * numbered in the order of their sources, so that the same batch gives the same names, whichever job ends first. A
 * source may be of another format than its name says: each has a name for every format, and those that the sources'
 * own names promise are given first. The Python command line names them by the same rules.
 */
export class OutputPaths {
  /** Whether standard output is the image's, so that nothing else may be written there. */
  readonly isStandard: boolean;
  private readonly folder: string | undefined;
  private readonly names = new Map<string, Map<string, string>>();
  private readonly numbers = new Map<string, number>();
  /** Names that are given already. */
  private readonly taken: ReadonlySet<string>;

  /**
   * @param own where an earlier run has written results of these sources, which it may write over
   * @throws UsageError when a source, or without --force any file that is there, would be written over
   */
  constructor(
    private readonly files: readonly string[],
    private readonly line: CommandLine,
    private readonly own: ReadonlyMap<string, string> = new Map(),
  ) {
    const { output } = line;
    this.taken = new Set([...own.values()].map(keyOf));
    this.isStandard = output === '-' || (output === undefined && files.includes('-'));
    this.folder = output !== undefined && isFolder(output) ? output : undefined;
    this.checkCount();
    for (const file of files) {
      this.names.set(file, new Map());
      if (own.has(file)) continue;
      for (const extension of extensionsOf(file, line)) this.check(this.nameOf(file, extension));
    }
    // Not checked yet: most are never used.
    for (const file of files) {
      for (const extension of Object.values(EXTENSIONS)) this.nameOf(file, extension);
    }
    this.makeFolder();
  }

  /** Where the result of a source goes, `-` for standard output. @throws UsageError when nothing may be written there */
  of(file: string, format: string): string {
    const extension = extensionOf(format);
    const own = this.own.get(file);
    if (own !== undefined && extname(own) === extension) return own;
    const path = this.nameOf(file, extension);
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

  /** The name that a result has with this extension; the first to ask for one that others have, too, has no number. */
  private nameOf(file: string, extension: string): string {
    const names = this.names.get(file)!;
    const known = names.get(extension);
    if (known !== undefined) return known;
    const key = keyOf(this.pathOf(file, extension, 1));
    let number = (this.numbers.get(key) ?? 0) + 1;
    while (this.taken.has(keyOf(this.pathOf(file, extension, number)))) number += 1;
    this.numbers.set(key, number);
    const path = this.pathOf(file, extension, number);
    names.set(extension, path);
    return path;
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
    const { output, work } = this.line;
    if (this.isStandard) return '-';
    if (output !== undefined && this.folder === undefined) return output;
    const path = localPathOf(file);
    const suffix = number === 1 ? '' : `-${number}`;
    const name = `${basename(path, extname(path))}.${work.label}${suffix}${extension}`;
    return join(this.folder ?? dirname(path), name);
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

/** A path whose name says what a source is called; that of an image on the web is in this folder. */
function localPathOf(file: string): string {
  if (file === '-') return 'image';
  const address = webAddress(file);
  if (address === undefined) return file;
  // Without what file systems give a meaning to.
  const name = basename(decoded(address.pathname)).replaceAll(/[^\p{L}\p{N}._-]/gu, '_');
  return name === '' ? 'image' : name;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What the result's name may end in; the format of a source tells it, where its own name does not. */
function extensionsOf(file: string, { format, work }: CommandLine): readonly string[] {
  const { steps } = work;
  // A preset may choose any.
  if (format === undefined && steps === undefined) return Object.values(EXTENSIONS);
  const isCutOut = steps?.some(({ operation }) => operation === 'bg_remove') === true;
  const chosen = format ?? (isCutOut ? 'png' : undefined) ?? formatOf(extname(localPathOf(file)));
  return chosen === undefined ? Object.values(EXTENSIONS) : [EXTENSIONS[chosen]];
}
