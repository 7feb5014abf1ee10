import type { Readable } from 'node:stream';

/** Bytes on their way in, not visible under any key until they are committed. */
export interface PendingObject {
  /** Appends a chunk; resolves when more may come. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the writing and answers where the bytes lie, for whoever must look at them before they are kept. */
  seal(): Promise<string>;
  /** Makes the bytes durable and visible under `key`, at once and whole. */
  commit(key: string): Promise<void>;
  /** Forgets the bytes. Does nothing after a commit. */
  discard(): Promise<void>;
}

export interface OpenObject {
  readonly stream: Readable;
  readonly sizeBytes: number;
}

/**
 * Where image bytes are kept. Keys look like `sources/src_…`: lower-case letters, digits, `_`, `-`, `.`
 * and `/` between folders. A full disk is AppError `service_unavailable`, a missing object AppError `gone`.
 */
export abstract class ObjectStore {
  abstract beginWrite(): Promise<PendingObject>;
  /** Writes whole objects, replacing what was there. */
  abstract put(key: string, data: Uint8Array): Promise<void>;
  abstract open(key: string): Promise<OpenObject>;
  abstract read(key: string): Promise<Buffer>;
  /** Deleting what is not there is no error. */
  abstract delete(key: string): Promise<void>;
  /** Keys of objects written longer ago than this, in no order. */
  abstract keysOlderThan(ageMs: number): AsyncIterable<string>;
  /** Removes pending objects that a killed process left longer ago than this. */
  abstract sweepTemporary(olderThanMs: number): Promise<void>;
  /** Resolves when the store can be written to. */
  abstract check(): Promise<void>;
}
