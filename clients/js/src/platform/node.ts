import { env } from 'node:process';
import { VERSION } from '../version.js';
import { draftFile, readImageFile } from './node-files.js';
import { resumableFile } from './node-resumable-file.js';
import type { Platform } from './platform.js';

/** Node.js, and Deno and Bun, which have the same modules. */
export const NODE_PLATFORM: Platform = {
  headers: { 'user-agent': `image-enhancement-client-js/${VERSION}` },
  maxHeldConnections: 256,
  defaultBaseUrl: () => setting('IMAGE_ENHANCEMENT_URL') ?? 'http://localhost:3000',
  setting,
  hintFor: () => '',
  readFile: readImageFile,
  draftFile,
  resumableFile,
};

/** Treats an empty variable as not set, as shells and containers do. */
function setting(name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
