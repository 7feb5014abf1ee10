import { AppError } from '../../kernel/app-error.js';

/** Error codes of the file system that mean a full disk, which may recover. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const RETRY_AFTER_SECONDS = 60;
const UNAVAILABLE_RETRY_AFTER_SECONDS = 10;

/** The object store is unreachable, overloaded, or refuses a valid request. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Messages of the C library for these errors, for libraries that report only the message. */
const FULL_TEXT = /No space left on device|Disk quota exceeded/;

/** Messages of the C library for errors that the disk causes, never the content of a file. */
const DISK_FAULT_TEXTS = [
  ['ENOSPC', /No space left on device/],
  ['EDQUOT', /Disk quota exceeded/],
  ['EIO', /Input\/output error/],
  ['EMFILE', /Too many open files/],
  ['EROFS', /Read-only file system/],
  ['ESTALE', /Stale file handle/],
] as const;

/**
 * The system's error code, for example `ENOSPC`, if the disk caused the error. Reads errors of the file system and of
 * the image library.
 */
export function diskFaultCode(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  const code = codeOf(error);
  return DISK_FAULT_TEXTS.find(([name, pattern]) => name === code || pattern.test(text))?.[0];
}

/**
 * Whether a write failed because the disk is full. Reads errors of the file system and of the image library.
 */
export function isFullDisk(error: unknown): boolean {
  return FULL.has(codeOf(error)) || (error instanceof Error && FULL_TEXT.test(error.message));
}

/**
 * Errors that the machine causes: a damaged or read-only disk, or no file descriptors, memory, or processes left.
 */
const MACHINE = new Set([...FULL, 'EIO', 'EMFILE', 'ENFILE', 'EROFS', 'ESTALE', 'ENOMEM', 'EAGAIN']);

/** Like `FULL_TEXT`, for the other faults of a machine. */
const MACHINE_TEXT = /Input\/output error|Too many open files|Read-only file system|Stale file handle/;

/**
 * Whether the machine or its object store caused a failed file operation, not the data. The same work may succeed on
 * another machine, or here after a recovery.
 */
export function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreUnavailable) return true;
  return MACHINE.has(codeOf(error)) || isFullDisk(error) || MACHINE_TEXT.test(error.message);
}

/** Whether an operation failed because memory is short, for example because the kernel killed a decoder. */
export function isShortOfMemory(error: unknown): boolean {
  return codeOf(error) === 'ENOMEM';
}

/** The error that a client gets while the disk is full. */
export function storageFull(cause?: unknown): AppError {
  return new AppError('service_unavailable', {
    detail: 'The service is out of storage space. Nothing was stored or charged. Try again later.',
    internal: 'the disk of the object store is full',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The error that a client gets while the object store does not respond. */
export function storageUnavailable(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', {
    detail: 'Image storage is not responding. Try again later.',
    internal: message,
    retryAfterSeconds: UNAVAILABLE_RETRY_AFTER_SECONDS,
    cause: new StoreUnavailable(message, { cause }),
  });
}

/** Translates an error of creating a file or of reading the free space, which no client causes, to a 503. */
export function refuseUnusableDisk(error: unknown): never {
  throw isFullDisk(error) ? storageFull(error) : storageUnavailable(String(error), error);
}

/** Translates the error of a failed write: a full disk becomes a 503. Rethrows all others. */
export function refuseFullDisk(error: unknown): never {
  throw isFullDisk(error) ? storageFull(error) : error;
}

/**
 * Translates the error of a failed read: a missing file becomes `gone`. Rethrows all others.
 */
export function refuseMissing(error: unknown): never {
  if (codeOf(error) !== 'ENOENT') throw error;
  throw new AppError('gone', { internal: 'the object is missing', cause: error });
}

/** Ignores the error of a file or folder that no longer exists. Rethrows all others. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
}

/** Ignores the error of a file or folder that already exists. Rethrows all others. */
export function ignoreExisting(error: unknown): undefined {
  if (codeOf(error) !== 'EEXIST') throw error;
  return undefined;
}
