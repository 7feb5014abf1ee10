import { ImageEnhancementError } from '../errors.js';
import type { Platform } from './platform.js';

/** A page, a worker, or anything else that has `fetch` and no files. */
export const WEB_PLATFORM: Platform = {
  headers: {},
  maxHeldConnections: 2,
  defaultBaseUrl: () => {
    // Read from `globalThis`, since not all that is no Node.js has a `location`.
    const origin = (globalThis as { location?: { origin?: string } }).location?.origin;
    if (origin !== undefined && origin.startsWith('http')) return origin;
    throw new ImageEnhancementError(
      'missing_base_url',
      'Say where the service is: new ImageEnhancement({ baseUrl }).',
    );
  },
  setting: () => undefined,
  readFile: () => noFiles('Give the bytes, a Blob, a stream or the address of an upload instead of a path.'),
  draftFile: () => noFiles('Use bytes() or blob() of the result instead of save().'),
};

function noFiles(help: string): Promise<never> {
  return Promise.reject(new ImageEnhancementError('no_file_system', `There are no files here. ${help}`));
}
