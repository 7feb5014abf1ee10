import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

/** For files that only this service reads. */
export const FILE_MODE = 0o600;

/**
 * Opens a file that an untrusted process has written. It must be a regular file with a single link and an acceptable
 * length. Sets its mode to `FILE_MODE`.
 * @throws Error otherwise; the file is then deleted
 */
export async function openForeign(
  path: string,
  { minBytes, maxBytes }: { readonly minBytes: number; readonly maxBytes: number },
): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    // Follows no links and does not wait for pipes.
    handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = await handle.stat();
    if (!status.isFile() || status.nlink !== 1) throw new Error('it is no regular file');
    if (status.size < minBytes || status.size > maxBytes)
      throw new Error(`it has ${status.size} bytes instead of ${minBytes} to ${maxBytes}`);
    await handle.chmod(FILE_MODE);
    return handle;
  } catch (error) {
    await handle?.close();
    await rm(path, { force: true });
    throw error;
  }
}
