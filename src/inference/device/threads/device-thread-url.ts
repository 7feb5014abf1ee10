import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The compiled entry point of the device thread, which is next to this module in `dist/`. Under vitest, this module is
 * TypeScript, which a worker thread cannot load. Then the file in `dist/` is used, which vitest's global setup builds.
 * @throws Error without a build
 */
export function deviceThreadUrl(moduleUrl: string = import.meta.url): URL {
  const isSource = moduleUrl.endsWith('.ts');
  const path = isSource ? '../../../../dist/inference/device/threads/device-thread.js' : './device-thread.js';
  const url = new URL(path, moduleUrl);
  if (!existsSync(fileURLToPath(url))) {
    throw new Error(`${fileURLToPath(url)} is missing; run "npm run build" first.`);
  }
  return url;
}
