import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger than the limit of any model file, but without a block on disk. */
const HUGE_BYTES = 2 ** 40;

/** Replaces a file with something that is not a valid model file. */
export type Replacement = (path: string) => Promise<void>;

/** What may replace a file of a model version, and the text of the refusal. */
export const SPECIAL_FILES: Readonly<Record<string, { readonly put: Replacement; readonly says: string }>> = {
  'a FIFO': {
    put: async (path) => void execFileSync('mkfifo', [path]),
    says: 'is a FIFO, not a regular file; put the file itself in its place',
  },
  'a link to /dev/zero': {
    put: (path) => symlink('/dev/zero', path),
    says: 'is a link to a file outside of its folder; copy the file into the folder',
  },
  'a link to a FIFO in the folder': {
    put: async (path) => {
      execFileSync('mkfifo', [`${path}.fifo`]);
      await symlink(`${path}.fifo`, path);
    },
    says: 'is a FIFO, not a regular file; put the file itself in its place',
  },
  'a link out of the folder': {
    put: async (path) => {
      await writeFile(join(path, '../../outside'), 'of another');
      await symlink('../outside', path);
    },
    says: 'is a link to a file outside of its folder; copy the file into the folder',
  },
  'a folder': {
    put: (path) => mkdir(path).then(() => undefined),
    says: 'is a folder, not a regular file; put the file itself in its place',
  },
  'a huge sparse file': {
    put: async (path) => {
      await writeFile(path, '');
      await truncate(path, HUGE_BYTES);
    },
    says: `has ${HUGE_BYTES} bytes, more than the`,
  },
  'a link to itself': {
    put: (path) => symlink(path, path),
    says: 'cannot be read (ELOOP)',
  },
};

export async function replaceFile(path: string, put: Replacement): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await put(path);
}
