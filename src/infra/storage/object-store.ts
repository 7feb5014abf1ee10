import type { Readable } from 'node:stream';

/** Bytes on their way into the store: invisible under any key until `commit`. */
export interface PendingObject {
  /**
   * A local file that holds what was written so far, so that it can be looked at before it is kept. A store that
   * keeps its objects elsewhere spools here and sends at `commit`.
   */
  readonly path: string;
  /** Bytes written so far. */
  readonly sizeBytes: number;
  /**
   * Appends; resolves when the bytes were taken over, so awaiting it is all the back-pressure a stream needs.
   * @throws AppError `service_unavailable` when the store is full; nothing is left behind then.
   */
  write(chunk: Uint8Array): Promise<void>;
  /** Waits until the bytes are on the disk and answers `path`. More may still be written. */
  seal(): Promise<string>;
  /**
   * Makes the bytes durable under `key`, at once and whole; what was there before is replaced.
   * @throws AppError `service_unavailable` when the store is full; nothing is left behind then.
   */
  commit(key: string): Promise<void>;
  /** Forgets the bytes. After `commit`, a failure or another `discard` it does nothing. */
  discard(): Promise<void>;
}

/** A kept object, opened for reading. */
export interface OpenedObject {
  /** Destroy it when it is not read to the end. */
  readonly stream: Readable;
  readonly sizeBytes: number;
}

/**
 * Where image bytes are kept. Keys are made by `objectKey`; any other text is a fault in the code (RangeError).
 * An abstract class and not an interface, because it is also the token under which a store is injected.
 */
export abstract class ObjectStore {
  /** Begins an object whose size is not known yet, such as an upload. */
  abstract beginWrite(): Promise<PendingObject>;

  /**
   * Keeps `data` under `key`, at once and whole; what was there before is replaced.
   * @throws AppError `service_unavailable` when the store is full; nothing is left behind then.
   */
  abstract put(key: string, data: Uint8Array): Promise<void>;

  /** @throws AppError `gone` when there is no such object. */
  abstract open(key: string): Promise<OpenedObject>;

  /** The whole object in memory. @throws AppError `gone` when there is no such object. */
  abstract read(key: string): Promise<Buffer>;

  /** Deletes the object; one that is not there is as good as deleted. */
  abstract delete(key: string): Promise<void>;

  /** Keys of all objects that were written longer ago than this, in no order. */
  abstract keysOlderThan(ageMs: number): AsyncIterable<string>;

  /**
   * Removes what writers left behind that were killed before `commit`.
   * @param olderThanMs least time since the last write; longer than any upload may pause.
   * @returns how many were removed.
   */
  abstract sweepTemporary(olderThanMs: number): Promise<number>;

  /** Resolves when the store can be written to, else says why not. */
  abstract check(): Promise<void>;
}
