import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../processes/program-code.js';
import type { ImageProcessKind } from './image-process-protocol.js';

export interface ImageProgram {
  /** Command and arguments. */
  readonly command: readonly string[];
  /** Absolute paths of the files and folders of its code. */
  readonly readable: readonly string[];
}

/** The program of a process: the compiled entry point, even when this module is TypeScript under test. */
export function imageProgram(kind: ImageProcessKind): ImageProgram {
  const dist = import.meta.url.endsWith('.ts') ? '../../../../dist' : '../../..';
  const found = fileURLToPath(new URL(`${dist}/main.${kind}.js`, import.meta.url));
  if (!existsSync(found)) throw new Error(`${found} is missing; run "npm run build" first.`);
  return { command: [process.execPath, found], readable: codeOf(found) };
}
