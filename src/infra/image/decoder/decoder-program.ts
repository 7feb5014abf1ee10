import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../processes/program-code.js';

export interface DecoderProgram {
  /** Command and arguments. */
  readonly command: readonly string[];
  /** Files and folders that it reads its code from, absolute. */
  readonly readable: readonly string[];
}

/** The program of a decoder process: the compiled entry, also when this module is TypeScript under test. */
export function decoderProgram(): DecoderProgram {
  const path = import.meta.url.endsWith('.ts')
    ? '../../../../dist/main.decoder.js'
    : '../../../main.decoder.js';
  const found = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(found)) throw new Error(`${found} is missing; run "npm run build" first.`);
  return { command: [process.execPath, found], readable: codeOf(found) };
}
