import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Command and arguments of a decoder process: the compiled entry, also when this module is TypeScript under
 * test.
 */
export function decoderProgram(): readonly string[] {
  const path = import.meta.url.endsWith('.ts')
    ? '../../../../dist/main.decoder.js'
    : '../../../main.decoder.js';
  const found = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(found)) throw new Error(`${found} is missing; run "npm run build" first.`);
  return [process.execPath, found];
}
