import { readdir, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { webAddress } from '../files/file-input.js';
import { UsageError } from './arguments.js';
import { JOURNAL } from './folder/journal-name.js';
import { formatOf } from './image-format.js';

/**
 * Returns paths and URLs as they are, the images in folders, and the files that match patterns. Each file is listed
 * once, even if several arguments name it. Some shells expand patterns themselves; others, and quoted patterns, leave
 * that to this function.
 * @throws UsageError for a missing file, an invalid pattern, or an argument without images
 */
export async function findFiles(given: readonly string[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const text of given) {
    for (const file of await filesOf(text)) {
      const isLocal = file !== '-' && webAddress(file) === undefined;
      const key = isLocal ? resolve(file) : file;
      if (!found.has(key)) found.set(key, file);
    }
  }
  return [...found.values()];
}

/** Whether an argument is a folder, whose images are enhanced as a batch. */
export async function hasFolder(given: readonly string[]): Promise<boolean> {
  const areFolders = await Promise.all(given.map(isFolder));
  return areFolders.includes(true);
}

/** Extensions of images that the service does not accept, and of JPEGs that the command line does not recognize. */
const OTHER_IMAGES =
  /\.(?:tiff?|hei[cf]|bmp|gif|jxl|jp2|j2k|svg|psd|jpe|jfif|dng|cr[23]|nef|arw|orf|raf|rw2)$/i;

/** The images in the given folders that `findFiles` leaves out because of their type. */
export async function findOtherImages(given: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set(given)) {
    if (folder === '-' || webAddress(folder) !== undefined || !(await isFolder(folder))) continue;
    for (const entry of await readdir(folder, { withFileTypes: true }))
      if (!entry.isDirectory() && OTHER_IMAGES.test(entry.name) && !entry.name.startsWith('.'))
        found.push(join(folder, entry.name));
  }
  return found.toSorted();
}

/**
 * The subfolders of the given folders, whose images `findFiles` leaves out. Omits hidden ones, folders that are named
 * themselves, and folders of results, which have a journal or are `output`.
 */
export async function findSubfolders(given: readonly string[], output: string): Promise<string[]> {
  const found: string[] = [];
  const known = new Set([...given, output].map((path) => resolve(path)));
  for (const folder of new Set(given)) {
    if (folder === '-' || webAddress(folder) !== undefined || !(await isFolder(folder))) continue;
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory() || entry.name.startsWith('.') || known.has(resolve(path))) continue;
      const names = await readdir(path).catch(() => []);
      if (!names.some((name) => JOURNAL.test(name))) found.push(path);
    }
  }
  return found.toSorted();
}

async function filesOf(text: string): Promise<readonly string[]> {
  if (text === '-' || webAddress(text) !== undefined) return [text];
  if (text === '') throw new UsageError('The path of an image is empty.');
  if (await isFolder(text)) return imagesIn(text);
  const isPath = !/[*?{[]/.test(text) || (await exists(text));
  if (isPath && !(await exists(text))) {
    throw new UsageError(`${text} cannot be read: there is no such file.`);
  }
  const files = isPath ? [text] : await matches(text.split(sep).join('/'));
  if (files.length === 0) throw new UsageError(`No file matches "${text}".`);
  return files;
}

/** Omits subfolders, which may contain results. */
async function imagesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isImage = (name: string) => formatOf(extname(name)) !== undefined && !name.startsWith('.');
  const names = entries
    .filter((entry) => !entry.isDirectory() && isImage(entry.name))
    .map(({ name }) => name);
  if (names.length === 0) {
    const hasSubfolders = entries.some((entry) => entry.isDirectory());
    const hint = hasSubfolders ? ' To enhance the images of its subfolders, name these.' : '';
    throw new UsageError(`There is no JPEG, PNG, WebP or AVIF image in the folder ${folder}.${hint}`);
  }
  return names.toSorted().map((name) => join(folder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function matches(pattern: string): Promise<string[]> {
  const parts = pattern.split('/');
  const firstSpecial = parts.findIndex((part) => /[*?{[]/.test(part));
  const root = parts.slice(0, firstSpecial).join('/');
  const expression = expressionOf(parts.slice(firstSpecial).join('/'), pattern);
  const isDeep = pattern.includes('**') || parts.length - firstSpecial > 1;
  const folder = folderOf(root, pattern);
  const names = await readdir(folder, { recursive: isDeep }).catch(() => []);
  const matching = names.filter((name) => expression.test(name.split(sep).join('/')));
  const paths = matching.map((name) => join(folder, name)).toSorted();
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => stats[index]?.isFile() === true);
}

/**
 * An absolute pattern begins with an empty part. On Windows, a drive without a slash would mean the current folder on
 * it.
 */
function folderOf(root: string, pattern: string): string {
  if (root === '') return pattern.startsWith('/') ? '/' : '.';
  return /^[a-z]:$/i.test(root) ? `${root}/` : root;
}

/** Brackets may contain a reversed range, such as `[z-a]`. */
function expressionOf(part: string, pattern: string): RegExp {
  try {
    return new RegExp(`^${toExpression(part)}$`);
  } catch (error) {
    throw new UsageError(`"${pattern}" is no pattern: ${(error as Error).message}.`);
  }
}

const TOKENS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^\*\*\//, () => '(?:[^/]+/)*'],
  [/^\*\*/, () => '.*'],
  [/^\*/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
  [/^\{([^{}]*)\}/, (match) => `(?:${match[1]!.split(',').map(toExpression).join('|')})`],
  [/^\[!?[^\]/]+\]/, (match) => match[0].replace('[!', '[^')],
];

function toExpression(pattern: string): string {
  let rest = pattern;
  let text = '';
  while (rest !== '') {
    let consumed: string | undefined;
    for (const [token, make] of TOKENS) {
      const match = token.exec(rest);
      if (match === null) continue;
      text += make(match);
      [consumed] = match;
      break;
    }
    if (consumed === undefined) text += rest[0]!.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    rest = rest.slice(consumed?.length ?? 1);
  }
  return text;
}
