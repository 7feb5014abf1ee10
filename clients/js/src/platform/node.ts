import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { env } from 'node:process';
import { fileTooLarge } from '../files/file-limit.js';
import { VERSION } from '../version.js';
import type { Platform } from './platform.js';

/** Node.js, and Deno and Bun, which have its modules too. */
export const NODE_PLATFORM: Platform = {
  headers: { 'user-agent': `image-enhancement-client-js/${VERSION}` },
  maxHeldConnections: 256,
  defaultBaseUrl: () => setting('IMAGE_ENHANCEMENT_URL') ?? 'http://localhost:3000',
  setting,
  readFile: async (path, maxBytes) => {
    const { size } = await stat(path);
    if (size > maxBytes) throw fileTooLarge(size);
    return new File([await readFile(path)], basename(path));
  },
  writeFile: async (path, bytes) => {
    const draft = `${path}.${randomUUID()}.part`;
    try {
      await writeFile(draft, bytes, { flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
};

/** Shells and containers set variables to nothing where they mean that they are not set. */
function setting(name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
