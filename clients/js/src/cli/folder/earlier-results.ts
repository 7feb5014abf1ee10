import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { webAddress } from '../../files/file-input.js';
import { reasonOf } from '../../platform/node-files.js';
import { UsageError } from '../values.js';
import { nameOf } from './image-file.js';
import { JOURNAL } from './journal-name.js';

/**
 * The inputs without the results that any run has written into this folder. When the results are in the folder of their
 * sources, each run would otherwise enhance, and pay for, the results of the one before. Results of other orders are
 * left out, too, and so are results that only an earlier line of a journal names.
 * @throws UsageError when a journal cannot be read
 */
export async function withoutResults(files: readonly string[], folder: string): Promise<string[]> {
  const results = await resultsIn(folder);
  if (results.size === 0) return [...files];
  const realFolders = new Map<string, Promise<string>>();
  const isInput = async (file: string): Promise<boolean> => {
    if (webAddress(file) !== undefined) return true;
    const path = nameOf(file);
    const parent = dirname(path);
    if (!realFolders.has(parent)) realFolders.set(parent, realOf(parent));
    return !results.has(keyOf(join(await realFolders.get(parent)!, basename(path))));
  };
  const areInputs = await Promise.all(files.map(isInput));
  return files.filter((_, index) => areInputs[index]);
}

async function resultsIn(folder: string): Promise<ReadonlySet<string>> {
  const real = await realOf(folder);
  const journals = (await readdir(real)).filter((name) => JOURNAL.test(name));
  const results = new Set<string>();
  for (const name of journals) {
    const text = await readFile(join(real, name), 'utf8').catch((error: Error) => {
      throw new UsageError(`${join(folder, name)} cannot be read: ${reasonOf(error)}.`);
    });
    for (const line of text.split('\n')) {
      const output = outputOf(line);
      if (output !== undefined) results.add(keyOf(join(real, basename(output))));
    }
  }
  return results;
}

/** The name of the result that a line of a journal records. */
function outputOf(line: string): string | undefined {
  if (!line.startsWith('{"image"')) return undefined;
  try {
    const { output } = (JSON.parse(line) as { readonly set: { readonly output?: unknown } }).set;
    return typeof output === 'string' ? output : undefined;
  } catch {
    // The line was cut off.
    return undefined;
  }
}

/** A folder may be named in several ways, for example through a link. */
const realOf = (folder: string): Promise<string> => realpath(folder).catch(() => nameOf(folder));

/** Some file systems return names with another encoding of an accent than they were given. */
const keyOf = (path: string): string => path.normalize('NFC');
