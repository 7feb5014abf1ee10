import type { Readable } from 'node:stream';

/** An object that is being written. It is not visible under any key until it is committed. */
export interface PendingObject {
  /**
   * Appends a chunk. Resolves when the next one may be written and the chunk's memory may be reused. A failed write
   * leaves nothing behind.
   */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Ends writing, so that the bytes can be checked before they are committed. A remote store spools to a local file
   * and uploads it in `commit`.
   * @returns path of the local file
   */
  seal(): Promise<string>;
  /** Makes the bytes durable and, in one step, visible under `key`. Replaces an existing object. */
  commit(key: string): Promise<void>;
  /** Deletes the bytes. Does nothing after a commit, a failure, or another discard. */
  discard(): Promise<void>;
}

/** Positions of the first and last byte, inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenObject {
  /** The bytes of `range`, or all. Destroy it if you do not read it to the end. */
  readonly stream: Readable;
  /** Size of the complete object. */
  readonly sizeBytes: number;
  readonly range: ByteRange | null;
}

/** A direct URL at the store, and the headers of its response. */
export interface DirectLink {
  /** Unix seconds. The store refuses the URL afterward. */
  readonly expiresAt: number;
  readonly contentType: string;
  readonly fileName: string;
}

/** An upload that the store accepts from a client. */
export interface DirectUploadLink {
  /** Unix seconds. The store refuses the URL afterward. */
  readonly expiresAt: number;
  /** The store refuses files of another size. */
  readonly sizeBytes: number;
}

/** A presigned URL to which a client sends an object with `PUT`. */
export interface DirectUploadAddress {
  readonly url: string;
  /** Headers that the request must have. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Stores the bytes of images. Keys look like `sources/src_…`: a kind, a slash, and a name of lowercase letters, digits,
 * `_`, `-` and `.`. An abstract class, because it is also the injection token of the implementation.
 * @throws RangeError for any other key, which is a bug; AppError `gone` for a missing object, `service_unavailable` when
 * the disk is full or the store does not respond
 */
export abstract class ObjectStore {
  abstract beginWrite(): Promise<PendingObject>;
  /** Writes a complete object. Replaces an existing one. */
  abstract put(key: string, data: Uint8Array): Promise<void>;
  /**
   * Copies an object within the store. The age of the copy starts at zero.
   * @param options.mayBeLost whether a power failure may undo the copy, which is faster on a disk
   */
  abstract copy(fromKey: string, toKey: string, options?: { readonly mayBeLost?: boolean }): Promise<void>;
  /** @param choose returns the range to read, given the size of the object; its errors are rethrown */
  abstract open(key: string, choose?: (sizeBytes: number) => ByteRange | null): Promise<OpenObject>;
  abstract read(key: string): Promise<Buffer>;
  /** Does nothing if the object does not exist. */
  abstract delete(key: string): Promise<void>;
  /** Keys of objects that are older than this, in no particular order. */
  abstract keysOlderThan(ageMs: number): AsyncIterable<string>;
  /**
   * Removes local files of killed processes that were last written longer ago than this. Unfinished uploads to a remote
   * store are aborted after a day, because they may be in progress.
   */
  abstract sweepTemporary(olderThanMs: number): Promise<void>;
  /** Id of the installation that owns the objects; undefined if none has claimed them. */
  abstract installationId(): Promise<string | undefined>;
  /** Claims the objects for an installation. Does nothing if they are claimed already. */
  abstract claimFor(installationId: string): Promise<void>;
  /** Resolves if the store responds. */
  abstract check(): Promise<void>;
  /** Free bytes on the disk to which objects are first written. */
  abstract freeBytes(): Promise<number>;
  /**
   * A URL at the store from which anyone can read the object until it expires; undefined if this service serves the
   * bytes itself.
   */
  abstract directUrl(key: string, link: DirectLink): Promise<string | undefined>;
  /**
   * A URL at the store to which anyone can send the object until it expires; undefined if clients cannot reach the
   * store.
   */
  abstract directUploadUrl(key: string, link: DirectUploadLink): Promise<DirectUploadAddress | undefined>;
  /** Releases connections and files. Nest calls it when no work is in progress. */
  abstract onApplicationShutdown(): Promise<void>;
}
