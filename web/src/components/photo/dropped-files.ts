/** Files, with the name of their folder if they were dropped as a single folder. */
export interface DroppedFiles {
  readonly files: readonly File[];
  readonly folder: string | null;
  /** The names of files and folders that could not be read. */
  readonly unread: readonly string[];
}

/** Maximum depth of nested folders. Cyclic links must not be followed forever. */
const MAX_DEPTH = 10;
const NAMES = new Intl.Collator(undefined, { numeric: true });

/**
 * The files of a drop or a paste, including those in folders at any depth. Must be called while the event is handled,
 * because its data is gone afterward.
 */
export async function droppedFiles(data: DataTransfer | null): Promise<DroppedFiles> {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  const given = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const unread: string[] = [];
  const lists = await Promise.all(
    given.map(({ entry, file }) =>
      entry?.isDirectory === true ? filesIn(entry, 0, unread) : Promise.resolve(file === null ? [] : [file]),
    ),
  );
  const [only] = given;
  const folder = given.length === 1 && only?.entry?.isDirectory === true ? only.entry.name : null;
  return { files: lists.flat(), folder, unread };
}

/** The common folder of files with paths, such as those from a folder dialog: `Summer/a.jpg` → `Summer`. */
export function folderOf(files: readonly File[]): string | null {
  const firsts = new Set(files.map((file) => pathOf(file).split('/').filter(Boolean)).map(topFolder));
  const [only] = firsts;
  return firsts.size === 1 && only !== undefined ? only : null;
}

/** Files of a folder dialog in the order of their paths. Browsers pass them in the order of the disk. */
export function byPath<Item extends File>(files: readonly Item[]): Item[] {
  const isSeen = (file: Item) => !pathOf(file).split('/').slice(1, -1).some(isHidden);
  return files.filter(isSeen).toSorted((a, b) => compareNames(pathOf(a), pathOf(b)));
}

/** Folders such as `.git` and `.thumbnails`, which file managers do not show. */
function isHidden(folder: string): boolean {
  return folder.startsWith('.');
}

/** As file managers sort names: `IMG_9` before `IMG_10`. */
function compareNames(a: string, b: string): number {
  return NAMES.compare(a, b);
}

function topFolder(parts: readonly string[]): string | undefined {
  return parts.length > 1 && parts[0] !== '.' ? parts[0] : undefined;
}

/** The drop zone stores the path of a file in `path`. */
function pathOf(file: File & { readonly path?: string }): string {
  return file.webkitRelativePath === '' ? (file.path ?? '') : file.webkitRelativePath;
}

/** @param unread gets the names of entries that cannot be read, such as links to files that are gone */
async function filesIn(entry: FileSystemEntry, depth: number, unread: string[]): Promise<File[]> {
  try {
    if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
    if (depth >= MAX_DEPTH) return [];
    const files: File[] = [];
    for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
      if (child.isFile || !isHidden(child.name)) files.push(...(await filesIn(child, depth + 1, unread)));
    return files;
  } catch {
    unread.push(entry.name);
    return [];
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader returns up to 100 entries at a time, and none at the end. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (next.length === 0) return children.toSorted((a, b) => compareNames(a.name, b.name));
    children.push(...next);
  }
}
