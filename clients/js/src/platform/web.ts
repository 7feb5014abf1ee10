import { ImageEnhancementError } from '../errors.js';
import type { Platform } from './platform.js';

/** A browser page, a worker, or any other runtime that has `fetch` and no files. */
export const WEB_PLATFORM: Platform = {
  headers: {},
  maxHeldConnections: 2,
  defaultBaseUrl: () => {
    const origin = pageOrigin();
    if (origin !== undefined && origin.startsWith('http')) return origin;
    throw new ImageEnhancementError(
      'missing_base_url',
      'Say where the service is: new ImageEnhancement({ baseUrl }).',
    );
  },
  setting: () => undefined,
  // For security, browsers do not reveal the reason.
  hintFor: (url) =>
    [undefined, new URL(url).origin].includes(pageOrigin())
      ? ''
      : '. If it is there, it does not allow pages of this origin: its CORS_ORIGINS says which it allows.',
  readFile: () => noFiles('Give the bytes, a Blob, a stream or the address of an upload instead of a path.'),
  draftFile: () => noFiles('Use bytes() or blob() of the result instead of save().'),
  resumableFile: () => noFiles('Use stream() instead of save().'),
};

/** Read from `globalThis`, because not every runtime other than Node.js has a `location`. */
function pageOrigin(): string | undefined {
  return (globalThis as { location?: { origin?: string } }).location?.origin;
}

function noFiles(help: string): Promise<never> {
  return Promise.reject(new ImageEnhancementError('no_file_system', `There are no files here. ${help}`));
}
