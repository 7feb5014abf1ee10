import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ImageEnhancementError } from '../../errors.js';
import { webAddress } from '../../files/file-input.js';
import { EXIT, exitCodeOf } from '../exit-code.js';

/** The same from whichever folder the command is started. */
export const nameOf = (file: string): string => (webAddress(file) === undefined ? resolve(file) : file);

/** Size and time; another file under this name is another image. */
export async function stampOf(file: string): Promise<string> {
  if (webAddress(file) !== undefined) return '';
  const { size, mtimeMs } = await stat(file);
  return `${size} ${mtimeMs}`;
}

/** Whether only this image is concerned. */
export function isOfImage(error: unknown): boolean {
  if (!(error instanceof ImageEnhancementError)) return false;
  return exitCodeOf(error) === EXIT.failed && error.code !== 'aborted';
}
