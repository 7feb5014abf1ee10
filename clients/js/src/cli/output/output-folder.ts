import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../../platform/node-files.js';
import { UsageError } from '../values.js';

/** Creates the folder of results. @throws UsageError */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    // On a read-only file system, Node.js reports that a folder is missing.
    const reason = refusalOf(nearestFolder(folder)) ?? reasonOf(error);
    throw new UsageError(`The folder ${folder} cannot be made: ${reason}.`);
  }
}

/** Checks that files can be created in a folder, before anything is paid for. @throws UsageError */
export function checkWritable(folder: string): void {
  const reason = refusalOf(folder);
  if (reason !== undefined) throw new UsageError(`The folder ${folder} cannot be written: ${reason}.`);
}

function refusalOf(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
