import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of a compiled module, for processes and threads, which cannot load TypeScript. It is in `dist/`, also when
 * this module is TypeScript under test.
 * @param path of the module in `dist/`
 * @throws Error without a build
 */
export function compiledModule(path: string, ownUrl: string = import.meta.url): string {
  const dist = ownUrl.endsWith('.ts') ? '../../dist/' : '../';
  const found = fileURLToPath(new URL(`${dist}${path}`, ownUrl));
  if (!existsSync(found)) throw new Error(`${found} is missing; run "npm run build" first.`);
  return found;
}
