import type { Readable } from 'node:stream';

/** Bytes on their way in, not visible under any key until they are committed. */
export interface PendingObject {
  /**
   * Appends a chunk; resolves when more may come, so awaiting it is all the back-pressure a stream needs. The
   * chunk's memory may be used again then.
   * After a failed write nothing is left behind.
   */
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Ends the writing and answers where the bytes lie, for whoever must look at them before they are kept. A
   * store that keeps its objects elsewhere spools to a local file and sends it at `commit`.
   */
  seal(): Promise<string>;
  /** Makes the bytes durable and visible under `key`, at once and whole, replacing what was there. */
  commit(key: string): Promise<void>;
  /** Forgets the bytes. Does nothing after a commit, a failure or another discard. */
  discard(): Promise<void>;
}

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface OpenObject {
  /** The bytes, or those of `range` alone. Destroy it when it is not read to the end. */
  readonly stream: Readable;
  /** Of the whole object. */
  readonly sizeBytes: number;
  readonly range: ByteRange | null;
}

/** What the store answers to readers of a direct address. */
export interface DirectLink {
  /** Unix seconds after which the address is refused. */
  readonly expiresAt: number;
  readonly contentType: string;
  readonly fileName: string;
}

/**
 * Where image bytes are kept. Keys look like `sources/src_…`: a kind, a slash and a name of lower-case
 * letters, digits, `_`, `-` and `.`; another key is a fault of the code and a RangeError. A full disk
 * and a store that does not answer are AppError `service_unavailable`, a missing object AppError `gone`. An abstract class, because it is also the
 * token under which an implementation is injected.
 */
export abstract class ObjectStore {
  abstract beginWrite(): Promise<PendingObject>;
  /** Writes whole objects, replacing what was there. */
  abstract put(key: string, data: Uint8Array): Promise<void>;
  /** Copies an object within the store. The copy is new: its age counts from now. */
  abstract copy(fromKey: string, toKey: string): Promise<void>;
  /** @param choose the part to read, given the size of the whole object; what it throws is passed on */
  abstract open(key: string, choose?: (sizeBytes: number) => ByteRange | null): Promise<OpenObject>;
  abstract read(key: string): Promise<Buffer>;
  /** Deleting what is not there is no error. */
  abstract delete(key: string): Promise<void>;
  /** Keys of objects written longer ago than this, in no order. */
  abstract keysOlderThan(ageMs: number): AsyncIterable<string>;
  /** Removes pending objects that a killed process last wrote to longer ago than this. */
  abstract sweepTemporary(olderThanMs: number): Promise<void>;
  /** Which installation the objects belong to, or undefined when nobody has said so yet. */
  abstract installationId(): Promise<string | undefined>;
  /** Says once which installation the objects belong to; does nothing when that was said before. */
  abstract claimFor(installationId: string): Promise<void>;
  /** Resolves when the store answers. */
  abstract check(): Promise<void>;
  /** Room that is left on the disk that objects are written to first, bytes. */
  abstract freeBytes(): Promise<number>;
  /**
   * An address at the store itself from which anybody can read the object until it expires; undefined when
   * readers get the bytes from this service.
   */
  abstract directUrl(key: string, link: DirectLink): Promise<string | undefined>;
  /** Frees what the store holds; Nest calls it once nothing is under way. */
  abstract onApplicationShutdown(): Promise<void>;
}
