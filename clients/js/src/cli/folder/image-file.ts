import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ImageEnhancementError } from '../../errors.js';
import { webAddress } from '../../files/file-input.js';
import { trouble } from '../../platform/node-files.js';
import { EXIT, exitCodeOf } from '../exit-code.js';

/** The absolute path, or the URL, so that the name does not depend on the current folder. */
export const nameOf = (file: string): string => (webAddress(file) === undefined ? resolve(file) : file);

/**
 * Size and modification time. A file with a different stamp is a different image, even under the same name.
 * @throws ImageEnhancementError `invalid_file` when there is no such file
 */
export async function stampOf(file: string): Promise<string> {
  if (webAddress(file) !== undefined) return '';
  const { size, mtimeMs } = await stat(file).catch(trouble('invalid_file', `${file} cannot be read`));
  return `${size} ${mtimeMs}`;
}

/** Whether an error concerns only this image. */
export function isOfImage(error: unknown): boolean {
  if (!(error instanceof ImageEnhancementError)) return false;
  return exitCodeOf(error) === EXIT.failed && error.code !== 'aborted';
}
