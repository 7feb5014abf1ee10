import { compiledModule } from '../../../config/compiled-module.js';
import { codeOf } from '../../processes/program-code.js';
import type { ImageProcessKind } from './image-process-protocol.js';

export interface ImageProgram {
  /** Command and arguments. */
  readonly command: readonly string[];
  /** Absolute paths of the files and folders of its code. */
  readonly readable: readonly string[];
}

/** The program of a process. */
export function imageProgram(kind: ImageProcessKind): ImageProgram {
  const found = compiledModule(`main.${kind}.js`);
  return { command: [process.execPath, found], readable: codeOf(found) };
}
