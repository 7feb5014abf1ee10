import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Where the compiled entry of the device thread is. In `dist/` it lies beside this module. Under vitest this
 * module is TypeScript source, which a worker thread cannot load: then it is the compiled one in `dist/`, so
 * tests run after a build (vitest's global setup makes one).
 * @throws Error when there is no build
 */
export function deviceThreadUrl(moduleUrl: string = import.meta.url): URL {
  const isSource = moduleUrl.endsWith('.ts');
  const path = isSource ? '../../../dist/inference/device/device-thread.js' : './device-thread.js';
  const url = new URL(path, moduleUrl);
  if (!existsSync(fileURLToPath(url))) {
    throw new Error(`${fileURLToPath(url)} is missing; run "npm run build" first.`);
  }
  return url;
}
