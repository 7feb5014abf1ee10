import { AppError } from '../../kernel/app-error.js';

/** Errors of the file system that mean "no room", now and not for ever. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);
const RETRY_AFTER_SECONDS = 60;
const UNAVAILABLE_RETRY_AFTER_SECONDS = 10;

/** The object store cannot be reached, is overloaded, or refuses what it should accept. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What the C library calls these errors, for programs that pass on its text alone. */
const FULL_TEXT = /No space left on device|Disk quota exceeded/;

/** What the C library calls the errors that a disk, and never a file's content, is at fault for. */
const DISK_FAULT_TEXTS = [
  ['ENOSPC', /No space left on device/],
  ['EDQUOT', /Disk quota exceeded/],
  ['EIO', /Input\/output error/],
  ['EMFILE', /Too many open files/],
  ['EROFS', /Read-only file system/],
  ['ESTALE', /Stale file handle/],
] as const;

/**
 * The system's code, for example `ENOSPC`, when the disk is at fault, as the file system or the image library
 * says it.
 */
export function diskFaultCode(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  const code = codeOf(error);
  return DISK_FAULT_TEXTS.find(([name, pattern]) => name === code || pattern.test(text))?.[0];
}

/**
 * Whether something could not be written because there is no room, as the file system or the image library
 * says it.
 */
export function isFullDisk(error: unknown): boolean {
  return FULL.has(codeOf(error)) || (error instanceof Error && FULL_TEXT.test(error.message));
}

/**
 * Errors that come from the machine: a damaged disk, one that went read-only, no file descriptors, memory or
 * processes.
 */
const MACHINE = new Set([...FULL, 'EIO', 'EMFILE', 'ENFILE', 'EROFS', 'ESTALE', 'ENOMEM', 'EAGAIN']);

/** As `FULL_TEXT`, for the other faults of a machine. */
const MACHINE_TEXT = /Input\/output error|Too many open files|Read-only file system|Stale file handle/;

/**
 * Whether a file operation failed because of the machine it ran on or its object store, not because of what was read or written.
 * The same work may succeed on another machine, or here once the machine has recovered.
 */
export function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreUnavailable) return true;
  return MACHINE.has(codeOf(error)) || isFullDisk(error) || MACHINE_TEXT.test(error.message);
}

/** What a client is told while the disk is full. */
export function storageFull(cause?: unknown): AppError {
  return new AppError('service_unavailable', {
    detail: 'The service is out of storage space. Nothing was stored or charged. Try again later.',
    internal: 'the disk of the object store is full',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** What a client is told while the object store does not answer. */
export function storageUnavailable(message: string, cause?: unknown): AppError {
  return new AppError('service_unavailable', {
    detail: 'The image storage does not answer. Try again later.',
    internal: message,
    retryAfterSeconds: UNAVAILABLE_RETRY_AFTER_SECONDS,
    cause: new StoreUnavailable(message, { cause }),
  });
}

/** Throws what a caller should see of a failed write: a full disk is a 503, anything else stays as it is. */
export function refuseFullDisk(error: unknown): never {
  throw isFullDisk(error) ? storageFull(error) : error;
}

/**
 * Throws what a caller should see of a failed read: a missing file is `gone`, anything else stays as it is.
 */
export function refuseMissing(error: unknown): never {
  if (codeOf(error) !== 'ENOENT') throw error;
  throw new AppError('gone', { internal: 'the object is missing', cause: error });
}

/** Answers nothing for a file or folder that went away meanwhile, anything else stays an error. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
  return undefined;
}

/** Answers nothing where somebody else was first, anything else stays an error. */
export function ignoreExisting(error: unknown): undefined {
  if (codeOf(error) !== 'EEXIST') throw error;
  return undefined;
}
