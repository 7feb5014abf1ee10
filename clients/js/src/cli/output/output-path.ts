import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { webAddress } from '../../files/file-input.js';
import { type CommandLine, UsageError } from '../arguments.js';
import { EXTENSIONS, extensionOf, type Format, formatOf } from '../image-format.js';
import { checkWritable, makeFolder } from './output-folder.js';
import { SourceFiles } from '../source-files.js';

/**
 * The output paths of a run, decided before anything is paid for. Results that would get the same name are numbered in
 * the order of their sources, so that the names do not depend on which job ends first. The format of a source may
 * differ from its file extension, so each source reserves a name for every format; names that match the sources' own
 * extensions are assigned first. The Python command line follows the same rules.
 */
export class OutputPaths {
  /** Whether the image goes to standard output, so that nothing else may be written there. */
  readonly isStandard: boolean;
  private readonly folder: string | undefined;
  private readonly names = new Map<string, Map<string, string>>();
  private readonly numbers = new Map<string, number>();
  /** Names that are already assigned. */
  private readonly taken: ReadonlySet<string>;
  private readonly sources: SourceFiles;
  private readonly chosen = new Map<string, string>();
  /** With --skip-existing, the results that sources already have. These sources are not enhanced. */
  readonly existing = new Map<string, string>();

  /**
   * @param own paths of results that an earlier run has written for these sources, which may be overwritten
   * @throws UsageError when a source would be overwritten, or any existing file without --force, and when the name of a
   * result has the extension of another format
   */
  constructor(
    private readonly files: readonly string[],
    private readonly line: CommandLine,
    private readonly own: ReadonlyMap<string, string> = new Map(),
  ) {
    const { output } = line;
    this.sources = new SourceFiles(files);
    this.taken = new Set([...own.values()].map(keyOf));
    this.isStandard = output === '-' || (output === undefined && files.includes('-'));
    this.folder = output !== undefined && isFolder(output) ? output : undefined;
    this.checkCount();
    this.checkFormat();
    for (const file of files) {
      this.names.set(file, new Map());
      if (own.has(file)) continue;
      for (const extension of extensionsOf(file, line)) this.nameOf(file, extension);
    }
    // These names are reserved, but not checked yet, because most of them are never used.
    for (const file of files) {
      for (const extension of Object.values(EXTENSIONS)) this.nameOf(file, extension);
    }
    for (const file of files) if (!own.has(file)) this.checkNames(file);
    this.prepareFolders();
  }

  /** The path of a source's result, or `-` for standard output. @throws UsageError when nothing may be written there */
  of(file: string, format: string): string {
    const extension = extensionOf(format);
    const own = this.own.get(file);
    if (own !== undefined && extname(own) === extension) return own;
    const path = this.nameOf(file, extension);
    this.check(path);
    this.chosen.set(file, path);
    return path;
  }

  /**
   * Where to download the result of a source that was not saved: its path, if `of` has returned it, or else a file, a
   * folder with a slash at its end, or `-` for standard output.
   */
  downloadTarget(file: string): string {
    const { output, force } = this.line;
    const chosen = this.chosen.get(file);
    if (chosen !== undefined) return chosen;
    if (this.isStandard) return '-';
    const isFree = output !== undefined && (force || !existsSync(output));
    return isFree && this.folder === undefined ? output : `${dirname(this.nameOf(file, EXTENSIONS.jpeg))}/`;
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

  /** Without --format, the name of a single result determines its format. */
  private checkFormat(): void {
    const { output, format } = this.line;
    if (output === undefined || this.folder !== undefined || format !== undefined) return;
    const extension = extname(output);
    if (extension.length < 2) return;
    throw new UsageError(
      `No result is a ${extension} file. End --output with .jpg, .png, .webp or .avif, or choose a --format.`,
    );
  }

  /** The name of a result with this extension. The first source of several with the same name gets no number. */
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

  /** Before anything is sent. */
  private checkNames(file: string): void {
    const found = this.line.skipExisting ? this.existingOf(file) : undefined;
    if (found !== undefined) this.existing.set(file, found);
    else
      for (const extension of extensionsOf(file, this.line))
        this.check(this.nameOf(file, extension), ', leave out such images with --skip-existing');
  }

  /** In any format that the options allow, because a source may have another one than its name says. */
  private existingOf(file: string): string | undefined {
    const format = chosenFormat(this.line);
    const extensions = format === undefined ? Object.values(EXTENSIONS) : [EXTENSIONS[format]];
    const paths = extensions.map((extension) => this.nameOf(file, extension));
    return paths.find((path) => path !== '-' && existsSync(path) && !this.sources.has(path));
  }

  /** @param remedy another one than those that always help */
  private check(path: string, remedy = ''): void {
    if (path === '-' || !existsSync(path)) return;
    if (this.sources.has(path)) {
      throw new UsageError(`${path} is a source and is never written over. Choose another --output.`);
    }
    if (!this.line.force) {
      throw new UsageError(
        `${path} exists. Choose another --output${remedy}, or write over it with --force.`,
      );
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

  /** Prepares the folders before the jobs, because paid results could not be written without them. */
  private prepareFolders(): void {
    const { output, dryRun } = this.line;
    if (this.isStandard) return;
    if (output !== undefined) makeFolder(this.folder ?? dirname(output));
    if (dryRun) return;
    const folders = this.files.map((file) => dirname(this.nameOf(file, EXTENSIONS.jpeg)));
    for (const folder of new Set(folders)) checkWritable(folder);
  }
}

/** Some file systems treat uppercase and lowercase, and different encodings of an accent, as equal. */
const keyOf = (path: string): string => resolve(path).normalize('NFC').toLowerCase();

/** Whether results get names of their own in an output. */
export const isFolder = (path: string): boolean =>
  /[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());

/** A path that shows the source's name. For an image on the web, the path is in the current folder. */
function localPathOf(file: string): string {
  if (file === '-') return 'image';
  const address = webAddress(file);
  if (address === undefined) return file;
  // Replace characters that are special in some file systems.
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

/** The possible extensions of a result: all, unless the options or the source's file extension determine the format. */
function extensionsOf(file: string, line: CommandLine): readonly string[] {
  // A preset may choose any format.
  if (line.format === undefined && line.work.steps === undefined) return Object.values(EXTENSIONS);
  const chosen = chosenFormat(line) ?? formatOf(extname(localPathOf(file)));
  return chosen === undefined ? Object.values(EXTENSIONS) : [EXTENSIONS[chosen]];
}

/** The format that the options determine; undefined if it is that of the source, or of a preset. */
function chosenFormat({ format, work }: CommandLine): Format | undefined {
  const isCutOut = work.steps?.some(({ operation }) => operation === 'bg_remove') === true;
  return format ?? (isCutOut ? 'png' : undefined);
}
