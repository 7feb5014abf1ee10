import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 of the names and contents of files. It does not depend on times, so that a copy of the files has the same.
 * @param {string} root
 * @param {readonly string[]} paths relative to `root`
 */
export function hashOfFiles(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}
